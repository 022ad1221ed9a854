# SPDX-License-Identifier: Apache-2.0
#
# rules.awk: read rules.txt, say what an access must become, and what an instruction says. For the scripts that come after it
# (awk -f rules.awk -f check.awk).

FILENAME ~ /rules\.txt$/ {
  sub(/^ +/, "")
  if ($0 == "" || /^#/) next
  n = ++rules
  rule_set[n] = $1
  rule_machine[n] = $2
  rule_space[n] = $3
  rule_access[n] = $4
  rule_flags[n] = $5
  rule_as[n] = $6
  rule_hints[n] = $7 == "-" ? "" : $7
  rule_most[n] = $8 + 0
  rule_from[n] = $9 == "from" ? $10 + 0 : 0 # 0: pieces by the promise
  rule_aligned[n] = $NF
  next
}

function has(list, word) { return list == "*" || index("," list ",", "," word ",") > 0 }
function least(a, b) { return a < b ? a : b }

# Sort lines, each of which begins with a newline.
function sorted(text,    list, n, i, k, t) {
  n = split(substr(text, 2), list, "\n")
  for (i = 2; i <= n; i++)
    for (k = i; k > 1 && list[k] < list[k - 1]; k--) {
      t = list[k]
      list[k] = list[k - 1]
      list[k - 1] = t
    }
  text = ""
  for (i = 1; i <= n; i++) text = text "\n" list[i]
  return text
}

# What the rules want of an access of `size` bytes, in elements of `element`, that promises `align` bytes (0: nothing):
#
#   plan_as       the address space that its instructions name
#   plan_piece    the bytes that each of them moves; if not plan_fixed, the most that one does
#   plan_hints    "nc", "glc,slc" …; "-": none
#   plan_free     whether a streaming access is split and hinted as the compiler likes: the promise does not cover it
#   plan_aligned  the alignment that each says or needs; "-": none
function plan(set, machine, space, access, size, element, align, flags,    r, promise) {
  for (r = 1; r <= rules; r++)
    if (rule_set[r] == set && has(rule_machine[r], machine) && has(rule_space[r], space) && has(rule_access[r], access) &&
      has(rule_flags[r], flags)) break
  if (r > rules) {
    print "rules.txt says nothing of " set " " machine " " space " " access " " flags
    exit 1
  }
  promise = align ? align : element
  plan_as = rule_as[r]
  if (plan_as == "constant>=4") plan_as = least(promise, size) >= 4 ? "constant" : "global"
  plan_piece = least(size, rule_most[r])
  plan_fixed = promise >= least(size, rule_from[r])
  if (!rule_from[r]) plan_piece = least(promise, plan_piece)
  plan_free = rule_hints[r] ~ />=/ && (plan_piece < 16 || promise < plan_piece)
  plan_hints = rule_hints[r] == "" || plan_free ? "-" : rule_hints[r]
  sub(/>=.*/, "", plan_hints)
  plan_aligned = "-"
  if (rule_aligned[r] == "exact") plan_aligned = least(promise, size)
  if (rule_aligned[r] == "form" && plan_piece >= 16) plan_aligned = promise >= plan_piece ? plan_piece : 1
}

# What an instruction says besides operation, space and size: its hints, sorted, with commas; - is nothing.
function hints_in(set, name,    word, n, k, found) {
  n = split(name, word, set == "ptx" ? "." : "[ |]")
  for (k = 2; k <= n; k++)
    if (set == "ptx" ? word[k] !~ /^(global|shared|const|local|v[248]|[bsuf][0-9]+)$/ : word[k] !~ /^(Aligned|[0-9]+)$/)
      found = found "\n" (word[k] == "Nontemporal" ? "nt" : word[k])
  if (name ~ /^v?movnt/) found = "\nnt"
  if (found == "") return "-"
  found = substr(sorted(found), 2)
  gsub(/\n/, ",", found)
  return found
}

# The alignment that it says, or that it needs; - is none.
function alignment_in(set, name, bytes) {
  if (set == "spirv") return name ~ /Aligned/ && match(name, /[0-9]+$/) ? substr(name, RSTART) : "none"
  if (set == "x86" && bytes >= 16) return name ~ /^vmov(aps|apd|dqa|nt)/ ? bytes : 1
  return "-"
}
