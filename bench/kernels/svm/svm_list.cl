// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

struct node {
  global struct node *next;
  ulong value, weight;
};

kernel void total(global struct node *head, global ulong *out) {
  ulong sum = 0;
  for (; head; head = head->next)
    sum += head->value * head->weight;
  *out = sum;
}
