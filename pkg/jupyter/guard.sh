# Kills a kernel whose owner has died. Standard input is a pipe that only the
# owner holds. It writes a line "SESSION FOLDER" when it has started a kernel,
# and one more line when it has ended it; an end of input without that line
# means that the owner is gone.
exec 2>/dev/null
read -r session folder || exit 0
read -r done && exit 0

round=0
while [ "$round" -lt 100 ]; do
	round=$((round + 1))
	kill -KILL "-$session"
	left=
	for stat in /proc/[0-9]*/stat; do
		read -r line <"$stat" || continue
		pid=${line%% *}
		set -- ${line##*) } # state parent group session …
		if [ "$4" = "$session" ] && [ "$1" != Z ]; then
			kill -KILL "$pid"
			left=$pid
		fi
	done
	[ -z "$left" ] && break
done
rm -rf -- "$folder"
