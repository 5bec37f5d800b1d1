//===- test/trust/recorded/kernels.cl - kernels that are also C++ ---------===//
//
// Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel writes to `out` by one kind of index, condition or loop that
// compiler/claims/expression_builder.cpp records. As OpenCL C it is what `warpsan explain` is
// asked about; as C++ it is run, and says itself what it touches
// (host.cpp). No kernel overflows a signed number or divides by zero with the
// launches of host.cpp.
//
//===----------------------------------------------------------------------===//
#ifdef __OPENCL_VERSION__
#define KERNEL(Name)                                                           \
  kernel void Name(global int *out, const global int *table, int n, int k,     \
                   uint u)
#endif

#define I ((int)get_global_id(0))
#define U ((uint)get_global_id(0))

// Operators.
KERNEL(op_add) { out[I + 3] = 1; }
KERNEL(op_sub) { out[40 - I] = 1; }
KERNEL(op_mul) { out[I * 3 + 1] = 1; }
KERNEL(op_mul_narrow) { out[(uchar)(U * 37)] = 1; }
KERNEL(op_udiv) { out[(U + 200) / 7] = 1; }
KERNEL(op_udiv_large) { out[(U + 0xFFFFFF00u) / 0x8000000u] = 1; }
KERNEL(op_sdiv) { out[(I + 200) / 7] = 1; }
KERNEL(op_sdiv_negative) { out[(I - 40) / 7 + 20] = 1; }
KERNEL(op_urem) { out[(U + 20) % 11] = 1; }
KERNEL(op_urem_large) { out[(U + 0xFFFFFFF0u) % 100000u] = 1; }
KERNEL(op_srem) { out[(I + 20) % 11] = 1; }
KERNEL(op_srem_negative) { out[(I - 20) % 11 + 10] = 1; }
KERNEL(op_shl) { out[I << 2] = 1; }
KERNEL(op_lshr) { out[(U + 100) >> 2] = 1; }
KERNEL(op_lshr_large) { out[(U - 100) >> 20] = 1; }
KERNEL(op_ashr) { out[(I + 100) >> 2] = 1; }
KERNEL(op_ashr_negative) { out[((I - 50) >> 2) + 20] = 1; }
KERNEL(op_and) { out[(I + 5) & 7] = 1; }
KERNEL(op_and_high) { out[(I + 5) & ~3] = 1; }
KERNEL(op_or) { out[(I << 2) | 3] = 1; }
KERNEL(op_or_mixed) { out[I | 5] = 1; }
KERNEL(op_or_shared) { out[(I + 8) | 8] = 1; }
KERNEL(op_xor) { out[I ^ 5] = 1; }
KERNEL(op_not) { out[~I + 60] = 1; }
KERNEL(cast_uchar) { out[(uchar)(I + 250)] = 1; }
KERNEL(cast_char) { out[(char)(I + 120) + 128] = 1; }
KERNEL(cast_ushort) { out[(ushort)(I + 1000)] = 1; }
KERNEL(cast_unsigned_index) { out[U - 2 + 2] = 1; }
KERNEL(cast_wraps) { if (I >= 2) out[U - 2] = 1; }
KERNEL(cast_wide) { out[(long)I * 2 + 1] = 1; }
KERNEL(pick) { out[I > 3 ? I : k] = 1; }
KERNEL(pick_below) { int y = I - 5 >= 0 ? I - 5 : 7; if (y < 100) out[y - 7 + 8] = 1; }
KERNEL(pick_nested) { out[I > 3 ? (I < 10 ? I + 2 : 4) : I + 20] = 1; }
KERNEL(pick_min) { out[I < k ? I : k] = 1; }
KERNEL(pick_max) { out[I > k ? I : k] = 1; }
KERNEL(pick_umin) { out[U < u ? U : u] = 1; }
KERNEL(pick_umax) { out[U > u ? U : u] = 1; }
KERNEL(call_min) { out[min(I, k)] = 1; }
KERNEL(call_max) { out[max(I, k)] = 1; }
KERNEL(call_umin) { out[min(U - 3u, u)] = 1; }
KERNEL(call_smin) { out[min(I - 3, k) + 3] = 1; }
KERNEL(call_smax) { out[max(I - 3, 1)] = 1; }
KERNEL(call_clamp) { out[clamp(I - 6, 2, 9)] = 1; }
KERNEL(call_uclamp) { out[clamp(U - 6u, 2u, 9u)] = 1; }
KERNEL(way_two) { int x; if (I > 4) x = I * 2; else x = 3; out[x] = 1; }
KERNEL(way_three) { int x; if (I > 9) x = I * 2; else if (table[0] == 77) x = I + 40; else x = k + 3; out[x] = 1; }

// Work-items.
KERNEL(id_global) { out[get_global_id(0)] = 1; }
KERNEL(id_local) { out[get_local_id(0)] = 1; }
KERNEL(id_group) { out[get_group_id(0)] = 1; }
KERNEL(id_global_1) { out[get_global_id(1)] = 1; }
KERNEL(id_size) { out[get_global_size(0)] = 1; }
KERNEL(id_local_size) { out[get_local_size(0)] = 1; }
KERNEL(id_groups) { out[get_num_groups(0)] = 1; }
KERNEL(id_offset) { out[get_global_offset(0)] = 1; }
KERNEL(id_made) { out[get_group_id(0) * get_local_size(0) + get_local_id(0)] = 1; }
KERNEL(id_plane) { out[get_global_id(1) * get_global_size(0) + get_global_id(0) - get_global_offset(0)] = 1; }

// Conditions.
KERNEL(if_less) { if (I < k) out[I] = 1; }
KERNEL(if_at_most) { if (I <= k) out[I] = 1; }
KERNEL(if_greater) { if (I > k) out[I - 1] = 1; }
KERNEL(if_at_least) { if (I >= k) out[I] = 1; }
KERNEL(if_uless) { if (U - 3 < u) out[U - 3] = 1; }
KERNEL(if_uat_most) { if (U - 3 <= u) out[U - 3] = 1; }
KERNEL(if_equal) { if (I == k) out[I] = 1; }
KERNEL(if_unequal) { if (I != 0) out[I - 1] = 1; }
KERNEL(if_else) { if (I < k) out[I] = 1; else out[I - k] = 1; }
KERNEL(if_and) { if (I > 2 && I < k) out[I - 3] = 1; }
KERNEL(if_or) { if (I < 3 || I > k) return; out[I] = 1; }
KERNEL(if_or_taken) { if (I < 3 || I > k) out[I] = 1; }
KERNEL(if_not) { if (!(I >= k)) out[I] = 1; }
KERNEL(if_not_and) { if (!(I > 2 && I < k)) out[I] = 1; }
KERNEL(if_flag) { int good = I < k; if (table[1] > 1000) good = 0; if (good) out[I] = 1; }
KERNEL(if_flag_or) { int good = I < k; if (table[1] < 1000) good = 1; if (good) out[I] = 1; }
KERNEL(if_flag_not) { bool bad = I >= k; if (table[1] > 1000) bad = true; if (!bad) out[I] = 1; }
KERNEL(if_flag_ways) { int good = I < 3; if (table[1] < 1000) { out[1] = 2; good = I < k; } if (good) out[I] = 1; }
KERNEL(if_flag_other) { int good = I < k; if (table[1] > 1000) { out[1] = 2; good = I < 3; } if (good) out[I] = 1; }
KERNEL(if_flags) { int a = I > 1, b = I < k; if (a & b) out[I - 2] = 1; }
KERNEL(if_flags_or) { int a = I > 1, b = I < k; if (a | b) out[I] = 1; }
KERNEL(if_loaded) { int x = table[I & 7]; if (x >= 0 && x < 30) out[x] = 1; }
KERNEL(if_loaded_below) { int x = table[I & 7]; if (x < 30) out[x + 8] = 1; }
KERNEL(if_uloaded) { uint x = table[I & 7]; if (x < 30) out[x] = 1; }
KERNEL(if_after) { int x = I; if (x > k) x = k; out[x] = 1; }
KERNEL(if_return) { if (I >= k) return; out[I] = 1; }

// Loops.
KERNEL(for_up) { for (int i = 0; i < k; i++) out[i] = 1; }
KERNEL(for_up_to) { for (int i = 0; i <= k; i++) out[i] = 1; }
KERNEL(for_down) { for (int i = k; i > 0; i--) out[i] = 1; }
KERNEL(for_down_to) { for (int i = k; i >= 0; i--) out[i] = 1; }
KERNEL(for_by_three) { for (int i = 1; i < k; i += 3) out[i] = 1; }
KERNEL(for_by_n) { for (int i = I; i < k; i += n) out[i] = 1; }
KERNEL(for_by_size) { for (int i = I; i < 60; i += get_global_size(0)) out[i] = 1; }
KERNEL(for_unequal) { for (int i = 0; i != k; i++) out[i] = 1; }
KERNEL(for_unequal_down) { for (int i = k; i != 0; i--) out[i - 1] = 1; }
KERNEL(for_limit_moves) { int m = 6; for (int i = 0; i != m; i++) { if (i == 2) m = 12; out[i] = 1; } }
KERNEL(for_limit_grows) { int m = 3; for (int i = 0; i < m; i++) { if (table[i & 7] > 6 && m < 20) m += 2; out[i] = 1; } }
KERNEL(for_uchar) { uchar i = 250; for (int j = 0; j < 10; j++) { out[i] = 1; i += 1; } }
KERNEL(for_uchar_limit) { for (uchar i = 3; i < k; i++) out[i] = 1; }
KERNEL(for_two) { int j = 5; for (int i = 0; i < k; i++) { out[j] = 1; j += 2; } }
KERNEL(for_two_steps) { int j = 5; for (int i = 0; i < k; i++) { out[j] = 1; j += n; j -= 1; } }
KERNEL(for_minus) { int j = 50; for (int i = 0; i < k; i++) { out[j] = 1; j -= n; } }
KERNEL(for_after) { int i = 0; for (; i < k; i++) if (table[i & 7] == 99) break; out[i] = 1; }
KERNEL(for_break) { for (int i = 0; i < 100; i++) { if (i > k) break; out[i] = 1; } }
KERNEL(for_break_after) { for (int i = 0; i < 30; i++) { out[i] = 1; if (i > k) break; } }
KERNEL(for_continue) { for (int i = 0; i < 30; i++) { if (i < k) continue; out[i - k] = 1; } }
KERNEL(for_nested) { for (int i = 0; i < k; i++) for (int j = 0; j < i; j++) out[i * 12 + j] = 1; }
KERNEL(for_triangle) { for (int i = 0; i < k; i++) for (int j = i; j < k; j++) out[j - i] = 1; }
KERNEL(for_square) { for (int i = 0; i < k; i++) for (int j = 0; j < n; j++) out[i * n + j] = 1; }
KERNEL(for_then) { int i = 0; for (; i < k; i++) out[i] = 1; for (int j = i; j < i + 4; j++) out[j] = 1; }
KERNEL(for_flag) { int go = 1; for (int i = 0; i < 30 && go; i++) { out[i] = 1; if (i >= k) go = 0; } }
KERNEL(for_flag_late) { int good = 0; for (int i = 0; i < k; i++) { if (good) out[i] = 1; good = i < 5; } }
KERNEL(for_found) { int last = 0; for (int i = 0; i < k; i++) if (table[i & 7] > 2) last = i; out[last] = 1; }
KERNEL(do_up) { int i = 0; do { out[i] = 1; i++; } while (i < k); }
KERNEL(do_down) { int i = k; do { out[i] = 1; i--; } while (i > 0); }
KERNEL(do_by_id) { int i = I; do { out[i] = 1; i += 4; } while (i < k); }
KERNEL(step_double) { for (int s = 1; s < k; s *= 2) out[s] = 1; }
KERNEL(step_shift) { for (int s = 1; s < k; s <<= 1) out[s] = 1; }
KERNEL(step_shift_two) { for (uint s = 1; s < u; s <<= 2) out[s] = 1; }
KERNEL(step_add) { for (int s = 1; s < k; s += s) out[s] = 1; }
KERNEL(step_three) { for (int s = 2; s < k; s *= 3) out[s] = 1; }
KERNEL(step_half) { for (int s = 32; s > 0; s /= 2) out[s] = 1; }
KERNEL(step_right) { for (int s = 32; s > 0; s >>= 1) out[s] = 1; }
KERNEL(step_uhalf) { for (uint s = 0xFFFFFFF0u; s > 0; s /= 3) if (s < 60) out[s] = 1; }
KERNEL(step_uright) { for (uint s = 0xFFFFFFF0u; s > 0; s >>= 3) if (s < 60) out[s] = 1; }
KERNEL(step_local) { for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) if (get_local_id(0) < s) out[get_local_id(0) + s] = 1; }
KERNEL(step_char) { uchar s = 1; for (int i = 0; i < 12; i++) { out[s] = 1; s *= 2; } }
KERNEL(step_char_right) { uchar s = 200; for (int i = 0; i < 12; i++) { out[s] = 1; s >>= 1; } }
KERNEL(step_schar_half) { char s = -100; for (int i = 0; i < 12; i++) { out[s + 100] = 1; s /= 2; } }
KERNEL(step_schar_right) { char s = -100; for (int i = 0; i < 12; i++) { out[s + 100] = 1; s >>= 1; } }

// Values that each iteration limits again.
KERNEL(held_and) { int x = 3; for (int r = 0; r < k; r++) { out[x] = 1; x = (x * 5 + r) & 15; } }
KERNEL(held_and_start) { int x = 40; for (int r = 0; r < k; r++) { out[x] = 1; x = (x * 5 + r) & 15; } }
KERNEL(held_umin) { uint x = 3; for (int r = 0; r < k; r++) { out[x] = 1; x = min(x * 5u + 7u, u); } }
KERNEL(held_umin_moving) { uint x = 0; for (uint r = 15; r > 0; r--) { out[r - x + 1] = 1; x = min(x + 9u, r); } }
KERNEL(held_umin_late) { uint x = 0; for (uint r = 15; r > 0; r--) { if (r < 4) out[x] = 1; x = min(x + 9u, r); } }
KERNEL(held_urem) { uint x = 3; for (int r = 0; r < k; r++) { out[x] = 1; x = (x * 5u + 7u) % u; } }
KERNEL(held_clamp) { int x = 3; for (int r = 0; r < k; r++) { out[x] = 1; x = clamp(5 - x * 2, 1, 9); } }
KERNEL(held_minmax) { int x = 3; for (int r = 0; r < k; r++) { out[x] = 1; x = min(max(5 - x * 2, 1), 9); } }
KERNEL(held_maxmin) { int x = 3; for (int r = 0; r < k; r++) { out[x] = 1; x = max(min(5 - x * 2, 9), 1); } }
KERNEL(held_srem) { int x = 0; for (int r = 0; r < k; r++) { out[x] = 1; x = (x + 3) % n; } }
KERNEL(held_srem_down) { int x = 8; for (int r = 0; r < k; r++) { out[x + 9] = 1; x = (x - 3) % 9; } }
KERNEL(held_srem_other) { int x = 0; for (int r = 0; r < 4; r++) { if (x < n) out[x + 9] = 1; int t = (int)((uint)x + 1u) % 9; x = (r & 1) ? t : 2147483647; } }
KERNEL(held_srem_loaded) { int x = 0; for (int r = 0; r < 8; r++) { if (x < 9) out[x + 9] = 1; int t = (x + 1) % 9; x = table[r] > 0 ? t : table[r]; } }
KERNEL(followed) { int x = 0; for (int r = 0; r < 6; r++) { out[x + 8] = 1; x = table[x & 7]; } }
KERNEL(followed_or) { int x = 0; for (int r = 0; r < 6; r++) { out[x + 8] = 1; x = r & 1 ? table[x & 7] : k; } }
KERNEL(followed_before) { long before = 0; for (int o = 0; o < 8; o++) { int x = table[o]; if (x >= 0 && x < 5) { long p = 0; for (int j = 0; j < 3; j++) { out[p + 8] = 1; p = table[j] > 0 ? before : p; } } before = x; } }
KERNEL(assumed_and_kept) { uint i = 0, j = 0; int r = 0, s; do { out[(i & 3) + 100] = 1; s = table[(r * 2 + (r == 2) * 3 - (r == 3)) & 7] * 268435456; r++; if (s <= (int)i) break; for (j = 0; (int)j < 1; j += (uint)s) { out[(int)j + 60] = 1; if ((int)j < -55) break; } i += 720000000u; } while ((int)(i + j) < 2147483647); }
KERNEL(loaded) { out[table[I & 7] + 8] = 1; }
KERNEL(loaded_twice) { out[table[I & 7] + table[(I + 1) & 7] + 20] = 1; }
KERNEL(loaded_apart) { out[table[I & 7] - table[(I + 3) & 7] + 40] = 1; }
KERNEL(loaded_changed) { int x = table[I & 7]; if (x < 0) x = -x; out[x] = 1; }
