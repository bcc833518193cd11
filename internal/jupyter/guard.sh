# Kills a kernel whose owner has died. Standard input is a pipe that only the
# owner holds. It writes a line "SESSION FOLDER" when it has started a kernel,
# and one more line when it has ended it; an end of input without that line
# means that the owner is gone. Processes of the kernel are those of its session
# and those with WGSLAB_KERNEL=FOLDER in their environment.
exec 2>/dev/null
read -r session folder || exit 0
read -r done && exit 0

round=0
empty=0
while [ "$round" -lt 100 ]; do
	round=$((round + 1))
	kill -KILL "-$session"
	left=
	for dir in /proc/[0-9]*; do
		read -r line <"$dir/stat" || continue
		set -- ${line##*) } # state parent group session …
		if [ "$1" != Z ] && [ "$4" = "$session" ] || grep -qzxF "WGSLAB_KERNEL=$folder" "$dir/environ"; then
			kill -KILL "${dir#/proc/}"
			left=yes
		fi
	done
	if [ -n "$left" ]; then empty=0; else empty=$((empty + 1)); fi
	# A process has no environment to be known by while it becomes another program.
	[ "$empty" -eq 3 ] && break
done
rm -rf -- "$folder"
