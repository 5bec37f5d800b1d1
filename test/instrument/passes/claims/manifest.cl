// The manifest: arguments as the application sees them, hidden ones, and the
// source place of every access with the calls it was inlined through.
// RUN: %clc --variant checked --device pocl --manifest - %s | FileCheck %s

// CHECK: {"version":23,"tool":"warpsan-clc {{[0-9.]+}}","variant":"checked","mutable_globals":true,"cuda":false,"kernels":[
global int counter = 3;
typedef struct { int a[4]; } S;

void put(global float *p, float v) {
  p[1] = v;
}

// CHECK-SAME: {"name":"k","file":0,"line":[[# @LINE + 8]],"attributes":{"reqd_work_group_size":[4,2,1],"vec_type_hint":"<4 x float>"}
// CHECK-SAME: "args":[{"name":"g","type":"float*","kind":"global","size":8,"qualifiers":["restrict"]}
// CHECK-SAME: {"name":"c","type":"float4*","kind":"constant","size":8,"qualifiers":["const"],"unchanged":true}
// CHECK-SAME: {"name":"l","type":"int*","kind":"local","size":0}
// CHECK-SAME: {"name":"v","type":"uchar3","kind":"value","size":4}
// CHECK-SAME: {"name":"s","type":"S","kind":"value","size":16}
// CHECK-SAME: {"name":"i","type":"image2d_t","kind":"image","size":8,"access":"read_only"}
kernel __attribute__((reqd_work_group_size(4, 2, 1), vec_type_hint(float4))) void
k(global float *restrict g, constant float4 *c, local int *l, uchar3 v, S s,
  read_only image2d_t i) {
  put(g, c[0].x);
  atomic_inc(&l[v.x]);
  vstore3((float3)(1), s.a[v.y], g);
  counter += get_image_width(i);
}
// CHECK-SAME: "hidden":[{"kind":"size","arg":0},{"kind":"size","arg":1},{"kind":"size","arg":2},{"kind":"launch"},{"kind":"records"}]
// CHECK-SAME: "roots":[{"kind":"null"},{"kind":"unknown"},
// CHECK-SAME: {"kind":"argument","arg":1,"element":16},{"kind":"argument","arg":0,"element":4},{"kind":"argument","arg":2,"element":4}
// CHECK-SAME: {"kind":"private","arg":4,"name":"s","type":"S","size":16,"fields":{{.}}["a",0,16,4]]
// CHECK-SAME: {"kind":"program","name":"counter","type":"int","size":4,"element":4,"at":{{[0-9]+}}}]
// CHECK-SAME: "sites":[{"id":0,"at":{{[0-9]+}},"access":"read","space":"constant","type":"float4","bytes":16,"align":16,"root":3,"state":"checked"}
// CHECK-SAME: "access":"write","space":"global","type":"float","bytes":4,"align":4,"root":4,"state":"checked"}
// CHECK-SAME: "access":"atomic","space":"{{local|generic}}","builtin":"atomic_inc","type":"int","bytes":4,"align":4,"root":5,"state":"checked"}
// CHECK-SAME: "builtin":"vstore3","type":"float3","bytes":12,"align":4,"root":4,"state":"checked","depends_on":[3]}
// CHECK-SAME: "access":"write","space":"global","type":"int","bytes":4,"align":4,"root":7,"state":"proven"}
// CHECK-SAME: "files":[{"path":"{{.*}}manifest.cl"{{[^}]*}}}]
// CHECK-SAME: "locations":[
// CHECK-SAME: {"file":0,"line":6,"column":0,"function":""}
// CHECK-SAME: {"file":0,"line":10,"column":{{[0-9]+}},"function":"put","inlined_at":{{[0-9]+}}}
