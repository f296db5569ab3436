# What g++ says of local variables that nobody has set, for checked programs (nvcc): in other words, and only where
# it is certain. It also says so of variables that are set on some ways, and read on just those: of these
# only the ones are told that no statement sets, as in `float sum; for (...) sum += a[i];`. All else passes.
# Variable: own=FOLDER, of whose headers nothing is told.

function is_warning(line) { return line ~ /warning: .*(is|may be) used uninitialized/ }

# Whether something in the variable's function, from its declaration on, sets it or may.
function is_set_somewhere(file, line, name, base, place, text, number, depth, found, i, c) {
  base = name
  sub(/[^A-Za-z0-9_].*/, "", base)
  place = base " *([[][^]]*[]] *|[.][A-Za-z0-9_]+ *)*"
  if (match(name, /\[[0-9]+\]$/)) # an element: others do not count, those with a computed index do
    place = base " *[[] *(" substr(name, RSTART + 1, RLENGTH - 2) "|[^]0-9][^]]*)[]] *"
  while (!found && (getline text < file) > 0) {
    if (++number < line) continue
    sub(/\/\/.*/, "", text)
    if (text ~ ("(^|[^A-Za-z0-9_.>])" place "=([^=]|$)") || text ~ ("[(,&] *" base " *[,)]") || text ~ ("& *" base))
      found = 1
    for (i = 1; i <= length(text); i++) {
      c = substr(text, i, 1)
      depth += c == "{" ? 1 : c == "}" ? -1 : 0
    }
    if (depth < 0) break
  }
  close(file)
  return found
}

function tell(    first, file, name, line, declared, i) {
  if (held == 0) return
  first = block[1]
  if (is_warning(first)) {
    file = first
    sub(/:[0-9]+:[0-9]+: warning:.*/, "", file)
    name = first
    sub(/.*warning: (‘|')/, "", name)
    sub(/(’|') (is|may be) used.*/, "", name)
    for (i = 2; i <= held; i++)
      if (index(block[i], file ":") == 1 && block[i] ~ /was declared here/) {
        declared = substr(block[i], length(file) + 2)
        sub(/:.*/, "", declared)
      }
    # g++ 14 says so of a deleted object, '*(Node*)<unknown>.value', which is no variable; the run names it.
    if (index(file, own) == 1 || name ~ /<unknown>/ || (first ~ /may be used/ && (declared == "" || is_set_somewhere(file, declared + 0, name)))) {
      held = 0
      return
    }
    sub(/warning: .*/, "warning: '" name "' is read before it is set. A local variable starts with an arbitrary value", block[1])
  }
  printf "%s", where
  where = ""
  for (i = 1; i <= held; i++) print block[i]
  held = 0
}

/^[^ ].*: In .*(function|constructor|destructor|instantiation).*:$|^In (file|function|member|lambda)|^    inlined from|^ +from / {
  if (held > 0 && is_warning(block[1]) && !has_declaration) { # which comes yet
    block[++held] = $0
    next
  }
  tell()
  where = (/inlined from|^ +from / ? where : "") $0 "\n"
  next
}
/: (warning|error|fatal error): |^[^ ].*: note: / && !/was declared here/ { tell() }
/was declared here/ { has_declaration = 1 }
is_warning($0) { has_declaration = 0 }
{ block[++held] = $0 }
END {
  tell()
}
