// Accesses that a launch can decide on are claims of a lean twin, not checks.
// RUN: %clc --variant lean --emit-llvm %s | FileCheck %s
// RUN: %clc --variant lean --manifest - %s | sed 's/{"name":"[a-z_]*","file"/\n&/g' | FileCheck %s --check-prefix=SITES
// RUN: %clc --variant checked --manifest - %s | FileCheck %s --check-prefix=NONE
// RUN: %clc --variant lean -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv
// NONE-NOT: "claims"

// CHECK-LABEL: @guarded(
// CHECK-NOT: call {{.*}}@warpsan_report
// CHECK-LABEL: }
// SITES: {"name":"guarded"
// SITES-SAME: "claims":{"nodes":[
// SITES-SAME: ["global_id",64,0,0,0,0]
// SITES-SAME: "conditions":{{\[\[}}0,0,0,0,0],[3,
// SITES-SAME: "state":"claimed"
// SITES-NOT: "state":"checked"
kernel void guarded(global float *a, int n) {
  int i = get_global_id(0);
  if (i < n)
    a[i] = 1;
}

// What is loaded can be anything, and nothing limits it.
// CHECK-LABEL: @gather(
// CHECK: call {{.*}}@warpsan_report
// CHECK-NOT: call {{.*}}@warpsan_report
// CHECK-LABEL: }
// SITES: {"name":"gather"
// SITES-SAME: "state":"claimed"
// SITES-SAME: "state":"checked"
// SITES-SAME: "state":"claimed"
kernel void gather(global const int *index, global const float *from,
                   global float *to) {
  int i = get_global_id(0);
  to[i] = from[index[i]];
}

// For launches that prove all but its first access: nothing else is checked.
// RUN: %clc --variant lean --only gather:0 --manifest - %s | FileCheck %s --check-prefix=ONLY
// ONLY-NOT: "name":"guarded"
// ONLY: {"name":"gather"
// ONLY-SAME: "id":0,{{[^{]*}}"state":"checked","why":"the launches that this twin is for do not prove it"
// ONLY-SAME: "id":1,{{[^{]*}}"state":"claimed"
// ONLY-SAME: "id":2,{{[^{]*}}"state":"claimed"
// ONLY-NOT: {"name":"looked_at"

// A loaded index that is looked at first.
// SITES: {"name":"looked_at"
// SITES-NOT: "state":"checked"
// SITES: {"name":"rows"
kernel void looked_at(global const int *index, global float *to, uint n) {
  uint at = index[get_global_id(0)];
  if (at < n)
    to[at] = 1;
}

// Loops: a counter, and what holds in each round.
// SITES-SAME: ["counter",32,
// SITES-SAME: "loops":{{\[\[}}
// SITES-NOT: "state":"checked"
// SITES: {"name":"constant_offsets"
kernel void rows(global const float *a, global float *out, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[get_global_id(0) * n + k];
  out[get_global_id(0)] = sum;
}

typedef struct {
  float scale, shift;
  int counts[4];
} Settings;

// SITES-NOT: "state":"checked"
// SITES: {"name":"to_const"
kernel void constant_offsets(global Settings *s, local int *tile, Settings v) {
  s->shift = v.scale + s->counts[3];
  tile[get_local_id(0)] = v.counts[get_local_id(0) & 3];
}

// Through const nothing may be written, whatever the launch: it is checked.
// SITES-SAME: "state":"checked"
kernel void to_const(global const int *a) { ((global int *)a)[0] = 1; }

// Which memory it is in is not known, so that no claim is about it.
// SITES: {"name":"either"
// SITES-SAME: "state":"checked"
// SITES-NOT: "state":"claimed"
kernel void either(global int *a, global int *b, int pick) {
  global int *to = pick ? a : b;
  to[get_global_id(0)] = 1;
}
