package jail

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func init() { probes["32 bits"] = probeOldTable }

// probeOldTable sends the grader signal 0 by a system call of 32-bit programs, whose numbers
// differ.
func probeOldTable() {
	const executable = unix.PROT_READ | unix.PROT_WRITE | unix.PROT_EXEC
	code, err := unix.Mmap(-1, 0, os.Getpagesize(), executable, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		fmt.Println(err)
		return
	}
	const kill = 37 // its number there; 62 in 64-bit programs
	grader := binary.LittleEndian.AppendUint32(nil, uint32(os.Getppid()))
	program := append([]byte{0xb8, kill, 0, 0, 0, 0xbb}, grader...)     // mov eax, kill; mov ebx, grader
	program = append(program, 0x31, 0xc9, 0xcd, 0x80, 0x48, 0x98, 0xc3) // xor ecx, ecx; int 0x80; cdqe; ret
	copy(code, program)
	start := &code[0]
	function := &start // Go calls what this points to
	call := *(*func() int)(unsafe.Pointer(&function))
	fmt.Println("kill:", unix.ErrnoName(unix.Errno(-call())))
}

func TestOldTable(t *testing.T) {
	printed, ended := endProbe(t, "32 bits")
	if ended != nil && strings.Contains(printed, "SIGSEGV") {
		t.Skip("this kernel has no system calls of 32-bit programs: run the test on one that has them")
	}
	require.NoError(t, ended, printed)
	require.Equal(t, "kill: ENOSYS\n", printed)
}
