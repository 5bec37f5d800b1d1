// A module with no kernel and a program-scope table.
constant int table[4] = {1000, 2000, 3000, 4000};
int from_second_library(int x) { return table[x & 3]; }
