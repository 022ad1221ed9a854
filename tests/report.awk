# SPDX-License-Identifier: Apache-2.0
#
# report.awk: what report.sh prints, of the JSON that `tensorstorage conform` and programs_compile.sh write, a case a line. It is
# no JSON parser: a report in another layout is refused.
#
#   names    for each file, the name of its backend, separated by blanks; several files of one name are one backend
#   as       markdown, json, or ids: the cases that match `glob`, a regular expression
#
# A case on a backend is one of: ran (and passed), wrong (failed, or an error), known (a known issue of the driver), compiled,
# skipped, absent (in no report of that backend). A report in which a case ran counts before one in which it did not.

function rank(state) { return index("absent skipped compiled known ran wrong", state) }

# The text of a JSON string, as a person reads it.
function plain(text) {
  gsub(/\\"/, "\"", text)
  gsub(/\\\//, "/", text)
  gsub(/\\\\/, "\\", text)
  return text
}

# The value of a key whose value is a string in this line; "" if there is none.
function value_of(line, key, start, rest) {
  start = index(line, "\"" key "\":\"")
  if (!start) return ""
  rest = substr(line, start + length(key) + 4)
  match(rest, /^([^"\\]|\\.)*/)
  return substr(rest, 1, RLENGTH)
}

# Say why the report can't be taken, and end.
function refuse(file, why) {
  print "report: " file ": " why > "/dev/stderr"
  failed = 1
  exit 6
}

# A report that was written to its end has "]}" as its last line.
function check_end() {
  if (file_number && last !~ /^\]\}/) refuse(ARGV[file_number], "it is cut off, its last line is not ]}; write it again")
}

BEGIN {
  SCHEMA = 2
  name_count = split(names, name_of_file, " ")
}

FNR == 1 {
  check_end()
  if (match($0, /^\{"schema":[0-9]+,/)) {
    schema = substr($0, 11, RLENGTH - 11)
    if (schema != SCHEMA) refuse(FILENAME, "it has schema " schema "; reports of schema " SCHEMA " are read")
  } else {
    refuse(FILENAME, "it is no report as `tensorstorage conform --json` writes it; another layout of the JSON is not read")
  }
  backend = name_of_file[++file_number]
  if (!(backend in backend_number)) {
    backends[++backend_count] = backend
    backend_number[backend] = backend_count
  }
}

/^\{"id":"/ {
  id = value_of($0, "id")
  status = value_of($0, "status")
  state = status == "passed" ? "ran" : status == "failed" || status == "error" ? "wrong" : status
  if (!rank(state)) {
    refuse(FILENAME, "the case " id " has the status \"" status "\", which is none")
  }
  if (!(id in family_of)) {
    ids[++id_count] = id
    family = substr(id, 1, index(id ".", ".") - 1)
    family_of[id] = family
    if (!(family in cases)) families[++family_count] = family
    cases[family]++
  }
  cases_of_file[file_number]++
  if (rank(state) > rank(state_of[backend, id])) {
    state_of[backend, id] = state
    reason_of[backend, id] = value_of($0, "reason")
  }
}

{ last = $0 }

function state_on(backend, id) { return (backend, id) in state_of ? state_of[backend, id] : "absent" }

function count_all(i, b, id, s, key) {
  for (i = 1; i <= id_count; i++)
    for (b = 1; b <= backend_count; b++) {
      id = ids[i]
      s = state_on(backends[b], id)
      count[backends[b], family_of[id], s]++
      total[backends[b], s]++
      if (s == "ran" || s == "compiled") continue
      key = backends[b] SUBSEP s SUBSEP (s == "absent" ? "in no report" : reason_of[backends[b], id])
      if (!(key in reason_count)) reasons[++reason_total] = key
      if (!reason_count[key, family_of[id]]++) {
        reason_families[key] = reason_families[key] " " family_of[id]
        reason_family_count[key]++
      }
      reason_count[key]++
    }
}

# Text in a cell of a Markdown table.
function cell_text(text) {
  gsub(/\|/, "\\|", text)
  return text
}

# "all" of the cases in the best state that they have, else numbers.
function cell(backend, family, of, text, k, s) {
  for (k = 1; k <= 6; k++) {
    s = order[k]
    if (!count[backend, family, s]) continue
    text = text (text ? ", " : "") (count[backend, family, s] == of ? "" : count[backend, family, s] " ") s
  }
  return text
}

# The rows of the table: families whose cases are all in one state on each backend, and in the same, share one, where the first
# of them stands.
function share_rows(b, f, line, r) {
  for (f = 1; f <= family_count; f++) {
    line = ""
    for (b = 1; b <= backend_count; b++) line = line " " cell(backends[b], families[f], cases[families[f]]) " |"
    if (line ~ /[0-9]/ || !(line in row_of)) {
      row_of[line] = ++row_count
      row_line[row_count] = line
    }
    r = row_of[line]
    row_families[r] = row_families[r] (row_families[r] ? " " : "") "`" families[f] "`"
    row_cases[r] += cases[families[f]]
  }
}

function print_markdown(b, f, k, key, line, rule) {
  line = "| families | cases |"
  rule = "|---|---|"
  for (b = 1; b <= backend_count; b++) {
    line = line " " cell_text(backends[b]) " |"
    rule = rule "---|"
  }
  print line
  print rule
  share_rows()
  for (f = 1; f <= row_count; f++) print "| " row_families[f] " | " row_cases[f] " |" row_line[f]
  line = "| all | " id_count " |"
  for (b = 1; b <= backend_count; b++) {
    for (k = 1; k <= 6; k++) count[backends[b], "", order[k]] = total[backends[b], order[k]]
    line = line " " cell(backends[b], "", id_count) " |"
  }
  print line
  if (!reason_total) return
  print "\n| backend | cases | state | why | families |\n|---|---|---|---|---|"
  for (k = 1; k <= reason_total; k++) {
    key = reasons[k]
    split(key, part, SUBSEP)
    print "| " cell_text(part[1]) " | " reason_count[key] " | " part[2] " | " cell_text(plain(part[3])) " |" \
      (reason_family_count[key] > 12 ? " " reason_family_count[key] " families" : reason_families[key]) " |"
  }
}

function print_json(b, f, k, key, line, list, part) {
  line = "{\"schema\":1,\n\"backends\":["
  for (b = 1; b <= backend_count; b++) line = line (b > 1 ? "," : "") "\"" backends[b] "\""
  print line "],\n\"families\":["
  for (f = 1; f <= family_count; f++) {
    line = "{\"family\":\"" families[f] "\",\"cases\":" cases[families[f]]
    for (b = 1; b <= backend_count; b++) {
      line = line ",\"" backends[b] "\":{"
      list = ""
      for (k = 1; k <= 6; k++)
        if (count[backends[b], families[f], order[k]])
          list = list (list ? "," : "") "\"" order[k] "\":" count[backends[b], families[f], order[k]]
      line = line list "}"
    }
    print line "}" (f < family_count ? "," : "")
  }
  print "],\n\"reasons\":["
  for (k = 1; k <= reason_total; k++) {
    split(reasons[k], part, SUBSEP)
    print "{\"backend\":\"" part[1] "\",\"state\":\"" part[2] "\",\"cases\":" reason_count[reasons[k]] ",\"reason\":\"" part[3] \
      "\"}" (k < reason_total ? "," : "")
  }
  print "]}"
}

# Returns how many cases matched.
function print_ids(i, b, s, matched) {
  matched = 0
  for (i = 1; i <= id_count; i++) {
    if (ids[i] !~ glob) continue
    matched++
    print ids[i]
    for (b = 1; b <= backend_count; b++) {
      s = state_on(backends[b], ids[i])
      printf "  %-12s %s%s\n", backends[b], s, reason_of[backends[b], ids[i]] ? ": " plain(reason_of[backends[b], ids[i]]) : ""
    }
  }
  return matched
}

END {
  if (failed) exit 6
  check_end()
  for (k = 1; k <= name_count; k++)
    if (!cases_of_file[k]) refuse(ARGV[k], "there is no case in it; was nothing run?")
  split("ran known wrong compiled skipped absent", order, " ")
  count_all()
  if (as == "json") print_json()
  else if (as == "markdown") print_markdown()
  else if (!print_ids()) {
    print "report: no case of these reports matches --id" > "/dev/stderr"
    exit 4
  }
}
