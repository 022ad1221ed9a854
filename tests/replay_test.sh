# SPDX-License-Identifier: Apache-2.0
#
# replay_test.sh: a case of the real suite that fails fails in the same way when the command that `conform` prints for it is run,
# and with another seed on other data. The compiler of the host's kernels turns + into - for that.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"

cat >"$scratch/liar" <<END
#!/bin/sh
for word; do case \$word in */kernel.c) sed -i 's/(A(W) op B(W))/(A(W) - B(W))/' "\$word" ;; esac; done
exec "$CC" "\$@"
END
chmod +x "$scratch/liar"
export CC="$scratch/liar" TENSORSTORAGE_HOST_FLAGS=
tool=$TS_BUILD_DIR/tensorstorage

# fails NAME COMMAND...: the case add.i32x4 fails; its reason goes to the file NAME, the command that repeats it to NAME.replay.
fails() {
  fails_name=$scratch/$1
  shift
  exits 1 "$@" || return 1
  sed -n '/^failed  add\.i32x4$/,/^$/p' "$scratch/out" >"$fails_name.told"
  sed -n '2s/^  //p' "$fails_name.told" >"$fails_name"
  sed -n '3s/^  //p' "$fails_name.told" >"$fails_name.replay"
  grep -q 'byte' "$fails_name" || { cat "$scratch/out" && return 1; }
}
differ() { ! cmp -s "$scratch/$1" "$scratch/$2"; }

expect "the case fails" fails zero "$tool" conform --device host --filter add.i32x4
expect "it fails among others, in another order" fails one "$tool" conform --device host --filter 'add.i32*' --seed 1
expect "another seed has other data" differ zero one
expect "the command that repeats it names the seed" grep -qx \
  "tensorstorage conform --device host --seed 1 --filter 'add.i32x4'" "$scratch/one.replay"
expect "the command runs" fails again sh -c "\"\$0\" $(sed 's/^tensorstorage //' "$scratch/one.replay")" "$tool"
expect "it fails in the same way" cmp "$scratch/one" "$scratch/again"
finish
