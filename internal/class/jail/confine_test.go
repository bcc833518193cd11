package jail

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/engine/memlimit"
	"github.com/wgslab/wgslab/internal/notebook/childprocess"
	"github.com/wgslab/wgslab/internal/shader"
	"golang.org/x/sys/unix"
)

// TestMain lets the tests start this program again in jail.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Command {
		if os.Getenv(probeMode) != "" {
			os.Exit(probe())
		}
		os.Exit(Serve())
	}
	os.Exit(m.Run())
}

// probeMode makes a jailed process try forbidden actions instead of a shader.
const probeMode = "LP_TEST_PROBE" // a name that is passed on to the jailed process

// probe tries to break out and prints the results.
func probe() int {
	if err := errors.Join(confine(), limitMemory(memlimit.For(shader.CPU, 1))); err != nil {
		fmt.Println(err)
		return 1
	}
	_, err := net.Dial("tcp", os.Getenv(probeMode))
	fmt.Println("tcp:", errors.Is(err, syscall.EPERM))
	_, err = net.Dial("unix", "/run/nobody")
	fmt.Println("unix:", errors.Is(err, syscall.EPERM))
	err = exec.Command("/bin/true").Run()
	fmt.Println("exec:", errors.Is(err, syscall.EPERM))
	fmt.Println("kill:", errors.Is(unix.Kill(os.Getppid(), 0), syscall.EPERM))
	var now unix.Rlimit
	_ = unix.Getrlimit(unix.RLIMIT_DATA, &now)
	fmt.Println("memory:", now.Cur)
	nice, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	fmt.Println("nice:", 20-nice, err)
	dir, err := os.Getwd()
	entries, _ := os.ReadDir(dir)
	fmt.Println("folder:", strings.HasPrefix(dir, os.Getenv("HOME")), len(entries), err)
	fmt.Println("secret:", os.Getenv("WGSLAB_TEST_SECRET"))
	return 0
}

func TestConfined(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a listener that would answer
	require.NoError(t, err)
	defer listener.Close()
	t.Setenv(probeMode, listener.Addr().String())
	t.Setenv("WGSLAB_TEST_SECRET", "do not tell")

	said := make(chan string)
	go func() { // on a separate thread: its priority stays lowered
		defer close(said)
		jail, err := New(1, shader.CPU)
		if err != nil {
			said <- err.Error()
			return
		}
		defer jail.Close()
		jailed := exec.Command(jail.program, Command)
		jailed.Dir, jailed.Env = jail.scratch, jail.env
		childprocess.EndWithParent(jailed)
		out, err := jailed.CombinedOutput()
		said <- fmt.Sprint(string(out), err)
	}()
	require.Equal(t, fmt.Sprintf(`tcp: true
unix: true
exec: true
kill: true
memory: %d
nice: %d <nil>
folder: true 0 <nil>
secret: 
<nil>`, memlimit.For(shader.CPU, 1), niceness), <-said)
}
