# Writes the bytes of the file From as a C array's contents to the file To.
file(READ ${From} Hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," Bytes "${Hex}")
file(WRITE ${To} "${Bytes}\n")
