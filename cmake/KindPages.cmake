# Writes the Markdown pages of the directory From, which are about a kind of finding each, to the file To, as elements of a C++ array:
# a kind's name and its page's text. Links to other pages become their text: the page is read where those are not.
file(GLOB Pages ${From}/*.md)
list(SORT Pages)
file(WRITE ${To} "")
foreach(Page IN LISTS Pages)
  get_filename_component(Name ${Page} NAME_WE)
  if(NOT Name STREQUAL "index")
    file(READ ${Page} Text)
    string(REGEX REPLACE "\\[([^]]+)\\]\\([^):]*\\)" "\\1" Text "${Text}")
    file(APPEND ${To} "{\"${Name}\", R\"page(${Text})page\"},\n")
  endif()
endforeach()
