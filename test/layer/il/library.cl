int from_library(int x) { return x * x; }
