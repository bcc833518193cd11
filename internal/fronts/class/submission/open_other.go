//go:build !windows

package submission

import "syscall"

// neitherFollowNorWait are the flags with which a file opens at once, and a link doesn't.
const neitherFollowNorWait = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
