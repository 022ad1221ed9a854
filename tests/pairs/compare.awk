# SPDX-License-Identifier: Apache-2.0
#
# compare.awk: whether a kernel on handles costs no more than the one by hand, for one machine.
#
#   awk -f ../contract/rules.awk -f compare.awk -v set=ptx -v machine=sm_90 known.txt by_hand handles
#
# The last two files are what list_instructions writes, and lines "NAME registers - N -" and, for CUDA, "NAME instructions - N -". Writes
# a line for each kernel: its name, a tab, its cell of docs/zero_overhead.md; and to stderr what is wrong: then it ends with 1.

FILENAME ~ /known\.txt$/ {
  if ($0 !~ /^#/ && has($1, machine)) known[$2 " " $3] = 1
  next
}
FNR == 1 { side++ }
$2 == "routine" {
  if (set == "amdgcn") instructions[side, $1] = $4
  if (side == 1) names[++count] = $1
  is_there[side, $1] = 1
  next
}
$2 == "instructions" {
  instructions[side, $1] = $4
  next
}
$2 == "registers" {
  registers[side, $1] = $4
  next
}
# What an x86 compiler keeps beside the code is no access of the kernel's.
set == "x86" && $3 == "constant" { next }
{
  name = $0
  sub(/^([^\t]*\t)*/, "", name)
  kind = $2 " " $3 " " hints_in(set, name)
  if (!(($1, kind) in seen)) kinds[$1] = kinds[$1] "\n" kind
  seen[$1, kind] = 1
  accesses[side, $1]++
  times[side, $1, kind]++
  bytes[side, $1, kind] += $4
}

END {
  for (k = 1; k <= count; k++) compare(names[k])
  if (!count) fail("there is no kernel")
  for (what in known) if (!(what in met) && (has_instructions || what !~ / instructions$/)) fail(what ": is no longer more than by hand: take it out of known.txt")
  exit failed
}

function compare(name,    list, n, k, kind, hand, handle, cell) {
  if (!((2, name) in is_there)) return fail(name ": there is none on handles")
  # Of each kind the same bytes, by no more instructions. Local memory is what the compiler spilled, and on AMD constant
  # memory is what the launch says: no more of it.
  n = split(substr(kinds[name], 2), list, "\n")
  for (k = 1; k <= n; k++) {
    kind = list[k]
    hand = bytes[1, name, kind] + 0
    handle = bytes[2, name, kind] + 0
    if (handle > hand || times[2, name, kind] > times[1, name, kind] ||
      (handle < hand && kind !~ / local / && !(set == "amdgcn" && kind ~ / constant /)))
      more(name, "memory", kind ": " times[1, name, kind] + 0 " x, " hand " bytes by hand, " times[2, name, kind] + 0 " x, " handle)
  }
  cell = figure(accesses[1, name], accesses[2, name])
  if (set == "ptx" || set == "amdgcn") {
    hand = instructions[1, name] + 0
    handle = instructions[2, name] + 0
    if (hand > 0) has_instructions = 1
    cell = cell " · " figure(hand, handle)
    if (handle > 1.02 * hand) more(name, "instructions", hand " instructions by hand, " handle)
    hand = registers[1, name]
    handle = registers[2, name]
    cell = cell " · " figure(hand, handle)
    if (hand < 1 || handle < 1) fail(name ": registers are not known")
    if (handle > hand + 1) more(name, "registers", hand " registers by hand, " handle)
  }
  printf "%s\t%s\n", name, cell
}
function figure(hand, handle) { return hand + 0 (handle == hand ? "" : sprintf("%+d", handle - hand)) }

# More than by hand, unless it is known.
function more(name, what, sentence) {
  met[name " " what] = 1
  if (!((name " " what) in known)) fail(name ": " sentence " on handles")
}
function fail(sentence) {
  print sentence >"/dev/stderr"
  failed = 1
}
