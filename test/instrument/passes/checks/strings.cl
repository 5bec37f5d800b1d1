// printf's strings: a constant that ends needs no check, others are counted as
// not covered.
// RUN: %clc --variant checked --manifest - %s | tr '{' '\n' | FileCheck %s
constant char open_end[2] = {'a', 'b'};

// CHECK: "name":"ends"
// CHECK: "builtin":"printf",{{.*}}"state":"proven"
kernel void ends(int n) { printf("%d %s %p\n", n, "text", open_end); }

// CHECK: "name":"does_not_end"
// CHECK: "builtin":"printf",{{.*}}"state":"untraced"
kernel void does_not_end(int n) { printf("%d %s\n", n, open_end); }
