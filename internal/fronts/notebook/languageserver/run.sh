# Runs gopls: PROGRAM SOCKET TIMEOUT, with a folder of its own for temporary files
# in TMPDIR. Gopls kills the go commands whose answer it doesn't need any more, and
# then they leave their files. So this removes the folder when gopls has ended,
# whatever ended it.
"$1" -listen "unix;$2" -listen.timeout "$3"
state=$?
trap '' TERM
kill -TERM 0 # the go commands that still run
for _ in 1 2 3 4 5; do
	rm -rf -- "$TMPDIR" && break
	sleep 1 # one of them has just written a file
done
exit "$state"
