# SPDX-License-Identifier: Apache-2.0
#
# width.awk: whether each copy of copy_width.c moves its data by accesses of the width that its row says.
#
#   awk -f rules.awk -f width.awk -v set=ptx -v machine=sm_90 core/tables.h rules.txt copy_width.c instructions
#
# An access of W elements is what rules.txt makes of it, aligned to its own bytes, or less where a promise of less than an
# element says so. Loops may be unrolled, so it is kinds of instructions that count: no other is there, but single elements where
# the row has a tail. Prints what is wrong, and in the last line how many copies were compared.

# The older of nvcc 13.0's two back ends takes the accesses of some copies apart, into words. A row that is listed must be wrong.
BEGIN {
  n = split("sm_75 sm_80 sm_90", machines, " ")
  for (k = 1; k <= n; k++)
    known[machines[k] " six_of_packed"] = known[machines[k] " six_and_four"] = 1
}

FILENAME ~ /tables\.h$/ {
  if ($2 ~ /^TS_DTYPE_ROW_/) bytes_of[substr($2, 14)] = $5 + 0
  if ($2 ~ /^TS_POLICY_ROW_/) {
    space_of[substr($2, 15)] = $4
    sub(",", "", space_of[substr($2, 15)])
  }
  next
}

# copy_width.c: WIDTH(name, width, P, T, layout, flags, Q, U, layout, flags)
FILENAME ~ /copy_width\.c$/ {
  if (/^WIDTH\(/) rows[++count] = $0
  next
}

$2 != "routine" { got[$1] = got[$1] "\n" $2 " " $3 " " $4 }

# An access of `width` elements of one side, as a line of kind[]. Where the rules let a compiler split it as it likes, the most
# that an instruction moves is in loose[].
function add_kind(access, policy, dtype, flags, width,    element, align, promise) {
  element = bytes_of[dtype]
  align = width * element
  while (match(flags, /TS_ALIGN\([0-9]+\)/)) {
    promise = substr(flags, RSTART + 9, RLENGTH - 10) + 0
    align = least(align, promise)
    flags = substr(flags, RSTART + RLENGTH)
  }
  plan(set, machine, space_of[policy], access, width * element, element, align, "none")
  kind[access " " plan_as " " plan_piece] = 1
  if (!plan_fixed) loose[access " " plan_as] = plan_piece
  return access " " plan_as " " plan_piece
}

function compare(row,    field, name, list, n, k, part, load, store, bad, is_there) {
  gsub(/ +/, " ", row)
  sub(/^WIDTH\(/, "", row)
  sub(/\)( *\/\*.*)?$/, "", row)
  split(row, field, ", ")
  name = field[1]
  split("", kind)
  split("", loose)
  split("", is_there)
  if (name ~ /_tail$/) {
    add_kind("store", field[3], field[4], field[6], 1)
    add_kind("load", field[7], field[8], field[10], 1)
  }
  store = add_kind("store", field[3], field[4], field[6], field[2])
  load = add_kind("load", field[7], field[8], field[10], field[2])
  n = split(substr(got["width_" name], 2), list, "\n")
  for (k = 1; k <= n; k++) {
    split(list[k], part, " ")
    is_there[list[k]] = 1
    if (list[k] in kind) continue
    if (part[1] " " part[2] in loose && part[3] <= loose[part[1] " " part[2]]) continue
    bad = bad "; there is a " list[k]
  }
  if (!(load in is_there) && !is_loose(load)) bad = bad "; there is no " load
  if (!(store in is_there) && !is_loose(store)) bad = bad "; there is no " store
  instructions += n
  if (machine " " name in known) bad = bad == "" ? "; it is right, and width.awk lists it as wrong" : ""
  if (bad == "") return
  if (++wrong <= 20) print name ": " substr(bad, 3)
}
function is_loose(line) {
  sub(/ [0-9]+$/, "", line)
  return line in loose
}

END {
  for (c = 1; c <= count; c++) compare(rows[c])
  print count " copies, " instructions + 0 " instructions, " wrong + 0 " copies wrong"
  exit wrong || count < 40 || !instructions
}
