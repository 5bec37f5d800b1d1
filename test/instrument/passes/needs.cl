// Offsets that are the same in every launch are needs of a checked-fit twin: the
// layer holds them against the arguments it launches with.
// RUN: %clc --variant checked-fit --emit-llvm %s | FileCheck %s
// RUN: %clc --variant checked-fit --manifest - %s | sed 's/{"name":"[a-z]*","file"/\n&/g' | FileCheck %s --check-prefix=NEEDS
// RUN: %clc --variant checked --emit-llvm %s | FileCheck %s --check-prefix=ALL
// RUN: %clc --variant checked --manifest - %s | sed 's/{"name":"[a-z]*","file"/\n&/g' | FileCheck %s --check-prefix=NONE
// RUN: %clc --variant checked-fit -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv

typedef struct {
  float scale, shift;
  int counts[4];
} Settings;

// The most of each direction; what is computed is checked as ever.
// CHECK-LABEL: @uses(
// CHECK: call {{.*}}@warpsan_report
// CHECK-NOT: call {{.*}}@warpsan_report
// ALL-LABEL: @uses(
// ALL-COUNT-4: call {{.*}}@warpsan_report
// NEEDS: "name":"uses"{{.*}}"needs":[{"arg":1,"read":8,"write":24},{"arg":2,"read":0,"write":36}],"roots"
// NONE: "name":"uses"{{.*}}"needs":[],"roots"
kernel void uses(global float *a, global Settings *s, local int *l) {
  a[get_global_id(0)] = s->scale + s->shift;
  s->counts[3] = 1;
  l[8] = 2;
}

// Before its start is never there; a constant argument is never written to.
// CHECK-LABEL: @never(
// CHECK-COUNT-2: call {{.*}}@warpsan_report
// NEEDS: "name":"never"{{.*}}"needs":[],"roots"
kernel void never(global int *a, const global int *b) {
  a[-1] = 1;
  *(global int *)b = 2;
}

// Which of the two is known only when it runs.
// CHECK-LABEL: @either(
// CHECK: call {{.*}}@warpsan_report
// NEEDS: "name":"either"{{.*}}"needs":[],"roots"
kernel void either(global int *a, global int *b, int n) {
  global int *p = n ? a : b;
  p[3] = 1;
}
