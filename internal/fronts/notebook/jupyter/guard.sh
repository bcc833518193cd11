# Kills a kernel whose owner has died. Standard input is a pipe that only the
# owner holds. It writes a line "MARK FOLDER" before it starts a kernel, one with
# the kernel's session when it has, and one more when it has ended it; an end of
# input before that means that the owner is gone. Processes of the kernel are those
# of its session and those with MARK in their environment.
exec 2>/dev/null
read -r mark folder || exit 0
read -r session || session=
[ -n "$session" ] && read -r done && exit 0

round=0
empty=0
while [ "$round" -lt 100 ]; do
	round=$((round + 1))
	[ -n "$session" ] && kill -KILL "-$session"
	left=
	for dir in /proc/[0-9]*; do
		read -r line <"$dir/stat" || continue
		set -- ${line##*) } # state parent group session …
		[ "$1" = Z ] && continue
		if [ "$4" = "$session" ] || grep -qzxF "$mark" "$dir/environ"; then
			kill -KILL "${dir#/proc/}"
			left=yes
		fi
	done
	if [ -n "$left" ]; then empty=0; else empty=$((empty + 1)); fi
	# A process has no environment to be known by while it becomes another program.
	[ "$empty" -eq 3 ] && break
done
rm -rf -- "$folder"
