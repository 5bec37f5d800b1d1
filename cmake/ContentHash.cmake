# Writes the SHA-256 of the file From to the file To as a C string, in base 64:
# as a Content-Security-Policy names what it allows.
set(Digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
file(SHA256 ${From} Hex)
# 64 digits of 4 bits; 3 of them are 2 of base 64.
set(Text)
foreach(At RANGE 0 60 3)
  string(SUBSTRING "${Hex}" ${At} 3 Three)
  math(EXPR High "0x${Three} >> 6")
  math(EXPR Low "0x${Three} & 63")
  string(SUBSTRING ${Digits} ${High} 1 High)
  string(SUBSTRING ${Digits} ${Low} 1 Low)
  string(APPEND Text ${High}${Low})
endforeach()
# One hex digit is left: its 4 bits and two zeros.
string(SUBSTRING "${Hex}" 63 1 Last)
math(EXPR Last "0x${Last} << 2")
string(SUBSTRING ${Digits} ${Last} 1 Last)
file(WRITE ${To} "\"${Text}${Last}=\"\n")
