# SPDX-License-Identifier: Apache-2.0
#
# report.awk: what report.sh prints, of the JSON that `tensorstorage conform` and programs_compile.sh write, a case a line.
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

BEGIN { name_count = split(names, name_of_file, " ") }

FNR == 1 {
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
    print FILENAME ": the case " id " has the status \"" status "\", which is none" > "/dev/stderr"
    failed = 1
    exit 6
  }
  if (!(id in family_of)) {
    ids[++id_count] = id
    family = substr(id, 1, index(id ".", ".") - 1)
    family_of[id] = family
    if (!(family in cases)) families[++family_count] = family
    cases[family]++
  }
  cases_of_file[file_number]++
  if (rank(state) <= rank(state_of[backend, id])) next
  state_of[backend, id] = state
  reason_of[backend, id] = value_of($0, "reason")
}

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

# "all" of the cases in the best state that they have, else numbers.
function cell(backend, family, of, text, k, s) {
  for (k = 1; k <= 6; k++) {
    s = order[k]
    if (!count[backend, family, s]) continue
    text = text (text ? ", " : "") (count[backend, family, s] == of ? "" : count[backend, family, s] " ") s
  }
  return text
}

function print_markdown(b, f, k, key, line) {
  line = "| family | cases |"
  for (b = 1; b <= backend_count; b++) line = line " " backends[b] " |"
  print line
  gsub(/[^|]+/, "---", line)
  print line
  for (f = 1; f <= family_count; f++) {
    line = "| `" families[f] "` | " cases[families[f]] " |"
    for (b = 1; b <= backend_count; b++) line = line " " cell(backends[b], families[f], cases[families[f]]) " |"
    print line
  }
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
    line = plain(part[3])
    gsub(/\|/, "\\|", line)
    print "| " part[1] " | " reason_count[key] " | " part[2] " | " line " |" \
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

function print_ids(i, b, s) {
  for (i = 1; i <= id_count; i++) {
    if (ids[i] !~ glob) continue
    print ids[i]
    for (b = 1; b <= backend_count; b++) {
      s = state_on(backends[b], ids[i])
      printf "  %-12s %s%s\n", backends[b], s, reason_of[backends[b], ids[i]] ? ": " plain(reason_of[backends[b], ids[i]]) : ""
    }
  }
}

END {
  if (failed) exit 6
  for (k = 1; k <= name_count; k++)
    if (!cases_of_file[k]) {
      print ARGV[k] ": there is no case in it; is it a report of `tensorstorage conform --json`?" > "/dev/stderr"
      exit 6
    }
  split("ran known wrong compiled skipped absent", order, " ")
  count_all()
  if (as == "json") print_json()
  else if (as == "ids") print_ids()
  else print_markdown()
}
