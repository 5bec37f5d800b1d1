// A check before an access: the offset from the root's start against how many
// offsets the access may start at. What is known to be inside needs none.
// RUN: %clc --variant checked --emit-llvm %s | FileCheck %s
// RUN: %clc --variant checked --device pocl -o %t.spv %s && spirv-dis %t.spv | FileCheck --check-prefix=TOLD %s
// TOLD: OpExtension "SPV_KHR_expect_assume"
// TOLD: OpExpectKHR %bool
// RUN: %clc --variant checked --device rusticl -o %t.spv %s && spirv-val --target-env opencl2.2 %t.spv

// The limit is made once, at the kernel's start; 0 if the access never fits or
// is forbidden (the size's sign).
// CHECK-LABEL: @one(
// CHECK: %[[BYTES:.*]] = and i64 %warpsan.size.0, 2305843009213693951
// CHECK: %[[LEFT:.*]] = shl i64 %warpsan.size.0, 1
// CHECK: %[[SIGN:.*]] = and i64 %[[LEFT]], -9223372036854775808
// CHECK: %[[SIZE:.*]] = or i64 %[[BYTES]], %[[SIGN]]
// CHECK: %[[FITS:.*]] = icmp sgt i64 %[[SIZE]], 3
// CHECK-NEXT: %[[LEAST:.*]] = select i1 %[[FITS]], i64 %[[SIZE]], i64 3
// CHECK-NEXT: %[[LIMIT:.*]] = sub i64 %[[LEAST]], 3
// CHECK: %[[OFFSET:.*]] = mul i64 %{{.*}}, 4
// CHECK: %[[BAD:.*]] = icmp uge i64 %[[OFFSET]], %[[LIMIT]]
// It is hardly ever so, which a driver that can be told is told.
// CHECK: %[[UNLIKELY:.*]] = call i1 @llvm.expect.i1(i1 %[[BAD]], i1 false)
// CHECK: br i1 %[[UNLIKELY]], label %[[COLD:.*]], label %[[HOT:[0-9]+]]
// What is only forbidden is told as that, and made.
// CHECK: %[[OUTSIDE:.*]] = icmp uge i64 %[[OFFSET]],
// CHECK: %[[CHECK:.*]] = select i1 %[[OUTSIDE]], i32 0, i32 4
// CHECK: call spir_func void @warpsan_report({{.*}}i32 %[[CHECK]], {{.*}}i64 %[[OFFSET]], i64 %[[SIZE]], i64 4
// CHECK: %[[STOP:.*]] = phi i1 [ false, %{{.*}} ], [ %[[OUTSIDE]], %{{.*}} ]
// What is outside is read from the record buffer's zeros.
// CHECK: %[[ZEROS:.*]] = getelementptr i8, ptr addrspace(1) %warpsan.records, i64 128
// CHECK: %[[FROM:.*]] = select i1 %[[STOP]], ptr addrspace(1) %[[ZEROS]],
// CHECK: load float, ptr addrspace(1) %[[FROM]]
kernel void one(global const float *a, global float *out, int i) {
  *out = a[i];
}

// Constant indices into a variable.
// CHECK-LABEL: @proven(
// CHECK-NOT: warpsan_report
// CHECK: ret void
kernel void proven(int i) {
  volatile int v[4];
  v[0] = i;
  v[3] = v[0];
}

// A byte of local memory, which nothing forbids, needs no limit of its own. And
// nothing has to be told apart.
// CHECK-LABEL: @byte(
// CHECK-NOT: select
// CHECK: icmp uge i64 %{{.*}}, %warpsan.size.0
// CHECK: call spir_func void @warpsan_report({{.*}}i32 0,
// CHECK-NOT: phi i1
// CHECK: ret void
kernel void byte(local char *a, int i) { a[i] = 0; }

// Without such a place to read from, the read is left out and gives zero.
// CHECK-LABEL: @local_read(
// CHECK: load float, ptr addrspace(3)
// CHECK: phi float [ 0.000000e+00, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
kernel void local_read(local float *a, global float *out, int i) {
  *out = a[i];
}

// vload counts its offset in vectors: from zeros it is 0.
// CHECK-LABEL: @vector(
// CHECK: %[[P:.*]] = select i1 %[[STOP:.*]], ptr addrspace(1) %{{.*}}, ptr addrspace(1) %a
// CHECK: %[[I:.*]] = select i1 %[[STOP]], i64 0, i64
// CHECK: call {{.*}}vload4{{.*}}(i64 {{.*}}%[[I]], ptr addrspace(1) {{.*}}%[[P]])
kernel void vector(global float *a, global float4 *out, int i) {
  *out = vload4(i, a);
}

// Two roots: size and number follow the pointer.
// CHECK-LABEL: @either(
// CHECK: %[[A:.*]] = and i64 %warpsan.size.{{[01]}}, -9223372036854775808
// CHECK: %[[B:.*]] = and i64 %warpsan.size.{{[01]}}, -9223372036854775808
// CHECK-DAG: phi i64 [ %{{.*}}, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
// CHECK-DAG: phi i32 [ 3, %{{.*}} ], [ 4, %{{.*}} ]
kernel void either(global int *a, global int *b, int n) {
  global int *p;
  if (n > 3) {
    p = a;
    barrier(CLK_GLOBAL_MEM_FENCE);
  } else {
    p = b;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  p[n] = 1;
}

// A pointer that walks: its offset walks with it.
// CHECK-LABEL: @walk(
// CHECK: %[[AT:.*]] = phi i64 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %{{.*}} ]
// CHECK: %[[NEXT]] = add i64 %[[AT]], 4
// CHECK: icmp uge i64 %[[AT]],
kernel void walk(global int *a, int n) {
  for (global int *p = a; n > 0; --n)
    *p++ = n;
}

// Through an integer and back.
// CHECK-LABEL: @integer(
// CHECK: %[[MOVED:.*]] = sext i32 %{{.*}} to i64
// CHECK: inttoptr
// CHECK: icmp uge i64 %[[MOVED]],
kernel void integer(global int *a, int n) {
  *(global int *)((ulong)a + n * 4) = 1;
}

// What is no address moves the pointer in its own object.
// CHECK-LABEL: @counted(
// CHECK: inttoptr
// CHECK-NOT: icmp eq i64 %{{.*}}, 0
// CHECK: ret void
kernel void counted(global int *a, global uint *b, ulong n) {
  for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
    *(global int *)((((ulong)a + 15) & ~15ul) + (i + b[0]) * 4) = 1;
}

// A loaded integer of 64 bits may lead to another object: by address, and if
// that is in none, it is outside of the pointer's own.
// CHECK-LABEL: @linked(
// CHECK: inttoptr i64
// CHECK: icmp eq i64 %{{.*}}, 0
// CHECK: %[[NOWHERE:.*]] = icmp eq i32 %[[FOUND:.*]], 1
// CHECK: select i1 %[[NOWHERE]], i32 {{[0-9]+}}, i32 %[[FOUND]]
kernel void linked(global int *a, global ulong *b) {
  *(global int *)((ulong)a + b[0]) = 1;
}

// An atomic in a buffer that may only be read or only be written is wrong in
// both.
// CHECK-LABEL: @both(
// CHECK: %[[R:.*]] = icmp uge i64 %{{.*}}, %{{.*}}
// CHECK: %[[W:.*]] = icmp uge i64 %{{.*}}, %{{.*}}
// CHECK: or i1 %[[R]], %[[W]]
kernel void both(volatile global int *a, int n) { atomic_inc(a + n); }

// Const: a write is always told, and made, as drivers do, if it is inside.
// CHECK-LABEL: @const_argument(
// CHECK: %[[BYTES:.*]] = and i64 %warpsan.size.0, 2305843009213693951
// CHECK: br i1 true
// CHECK: icmp sgt i64 %[[BYTES]], 3
// CHECK: phi i1 [ false, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
// CHECK: store
kernel void const_argument(global const int *a) { *(global int *)a = 1; }

// Constant memory is never written: the report takes the write's place.
// CHECK-LABEL: @constant_argument(
// CHECK-NOT: icmp
// CHECK-NOT: store i32 1,
// CHECK: call spir_func void @warpsan_report
// CHECK-NOT: store i32 1,
// CHECK: ret void
kernel void constant_argument(constant int *a) {
  *(global int *)(ulong)a = 1;
}

// The whole work-group makes the copy, of nothing if it does not fit.
// CHECK-LABEL: @together(
// CHECK: %[[N:.*]] = select i1 %{{.*}}, i64 0, i64 %{{.*}}
// CHECK: call spir_func {{.*}}async_work_group_copy{{.*}}i64 {{.*}}%[[N]]
kernel void together(global int *a, local int *l, int n) {
  wait_group_events(1, (event_t[]){async_work_group_copy(l, a, n, 0)});
}
