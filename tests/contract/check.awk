# SPDX-License-Identifier: Apache-2.0
#
# check.awk: whether the instructions of the contract's kernels are those that rules.txt wants.
#
#   awk -f rules.awk -f check.awk -v set=ptx -v machine=sm_90 core/tables.h rules.txt cases.c instructions
#
# cases.c is what cases.awk wrote, instructions what list_instructions made of the compiler's output. Prints what is wrong, and
# in the last line how many kernels were compared. Ends with 1 if anything is wrong, or if nothing was compared.

FILENAME ~ /tables\.h$/ {
  if ($2 ~ /^TS_DTYPE_ROW_/) bytes_of[substr($2, 14)] = $5 + 0
  if ($2 ~ /^TS_POLICY_ROW_/) {
    space_of[substr($2, 15)] = $4
    sub(",", "", space_of[substr($2, 15)])
  }
  next
}

# cases.c: MACRO(name, …
FILENAME ~ /cases\.c$/ {
  if (match($0, /\([a-z0-9_]+,/)) names[++cases] = substr($0, RSTART + 1, RLENGTH - 2)
  next
}

# A line of instructions: kernel, access, space, bytes, name.
$2 != "routine" {
  order[$1] = order[$1] substr($2, 1, 1)
  name = $0
  sub(/^([^\t]*\t)*/, "", name)
  got[$1] = got[$1] "\n" $2 " " $3 "\t" $4 " " hints_in(set, name) " " alignment_in(set, name, $4)
}

END {
  for (c = 1; c <= cases; c++) compare(names[c])
  if (wrong > 20) print "… and " wrong - 20 " more"
  print cases " kernels, " instructions + 0 " instructions, " wrong + 0 " kernels wrong"
  exit wrong || !cases || !instructions
}

# ---- what a kernel must have: by "load global" and so on ----------------------------------------------------------------

function want_access(access, space, size, element, align, flags,    key, k) {
  plan(set, machine, space, access, size, element, align, flags)
  key = access " " plan_as
  if (!(key in total)) keys = keys "\n" key
  total[key] += size
  if (!plan_fixed) loose[key] = plan_piece
  if (plan_free) is_free = 1
  hints[key] = plan_hints
  for (k = 0; k < size; k += plan_piece) want[key] = want[key] "\n" plan_piece " " plan_hints " " plan_aligned
}

# The accesses that accesses.h has in a kernel of this name.
function want_accesses(name,    part, element, size) {
  split("", total)
  split("", want)
  split("", loose)
  is_free = 0
  keys = ""
  split(name, part, "__")
  element = bytes_of[part[3]]
  size = part[4] * element
  if (part[1] == "order") {
    want_access("load", "global", size, element, 256, "none")
    want_access("store", "global", size, element, 256, part[5])
    want_access("load", "global", size, element, 256, part[6])
    want_access("store", "global", size, element, 256, "none")
    return
  }
  want_access(part[1], space_of[part[2]], size, element, part[5], part[6])
  want_access(part[1] == "load" ? "store" : "load", "global", size, element, 256, "none")
  if (space_of[part[2]] == "local") want_access(part[1] == "load" ? "store" : "load", "local", 1, 1, 0, "none")
  if (part[1] == "store" && space_of[part[2]] ~ /^(local|shared)$/) want_access("store", "global", 1, 1, 256, "none")
}

# ---- the comparison -----------------------------------------------------------------------------------------------------

function compare(name,    list, n, k, field, key, have, sum, bad) {
  want_accesses(name)
  is_order = name ~ /^order__/
  split("", have)
  split("", sum)
  n = split(substr(got[name], 2), list, "\n")
  instructions += n
  for (k = 1; k <= n; k++) {
    key = list[k]
    sub(/\t.*/, "", key)
    split(substr(list[k], length(key) + 2), field, " ")
    if (is_free && (field[2] == "nt" || key == "load local" || key == "store local")) field[2] = "-"
    else if (!(key in total)) bad = bad "; there is a " key " [" field[1] " " field[2] "]"
    if (key in loose && (field[1] > loose[key] || field[2] != hints[key]))
      bad = bad "; there is a " key " [" field[1] " " field[2] "]"
    sum[key] += field[1]
    have[key] = have[key] "\n" field[1] " " field[2] " " field[3]
  }
  n = split(substr(keys, 2), list, "\n")
  for (k = 1; k <= n; k++) {
    key = list[k]
    # A loop may be unrolled: the kinds of pieces count, and their order.
    if (is_order) {
      if (kinds(have[key]) != kinds(want[key])) bad = bad "; " key ": wanted " kinds(want[key]) ", got " kinds(have[key])
    } else if (is_free || key in loose ? sum[key] != total[key] : sorted(have[key]) != sorted(want[key]))
      bad = bad "; " key ": wanted " (key in loose ? total[key] " bytes" : pieces(want[key])) ", got " pieces(have[key])
  }
  if (is_order && !alternates(order[name])) bad = bad "; the order is " order[name]
  if (bad == "") return
  if (++wrong <= 20) print name ": " substr(bad, 3)
}

# Are these loads, stores, loads … stores, at least two of each, and, if a loop may be unrolled, as many at a time?
function alternates(list,    count, times) {
  if (list !~ /^l+(s+l+)+s+$/) return 0
  for (; list != ""; list = substr(list, RLENGTH + 1)) {
    match(list, /^(l+|s+)/)
    if (times && RLENGTH != count && set == "ptx") return 0
    count = RLENGTH
    times++
  }
  return 1
}

# Each kind of piece once.
function kinds(list,    one, n, k, text) {
  n = split(substr(sorted(list), 2), one, "\n")
  for (k = 1; k <= n; k++) if (k == 1 || one[k] != one[k - 1]) text = text "\n" one[k]
  return pieces(text)
}
function pieces(list) {
  list = substr(sorted(list), 2)
  gsub(/\n/, ", ", list)
  return "[" list "]"
}
