package jail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func init() { probes[toolProbe] = probeTool }

func probeTool() {
	fmt.Println("limits:", errors.Join(lowerLimits(), limitMemory(buildMemory), limitTime(buildTime), filterCalls("execve")))
	_, err := net.Dial("tcp", os.Getenv(listenerVariable))
	fmt.Println("tcp:", errors.Is(err, syscall.EPERM))
	err = exec.Command("/bin/true").Run()
	fmt.Println("fork:", errors.Is(err, syscall.EPERM))
	var now unix.Rlimit
	_ = unix.Getrlimit(unix.RLIMIT_CPU, &now)
	fmt.Println("seconds:", now.Max)
}

// Go's compiler may be started, but starts nothing itself and reaches nobody.
func TestToolConfined(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	t.Setenv(listenerVariable, listener.Addr().String())
	require.Equal(t, "limits: <nil>\ntcp: true\nfork: true\nseconds: 10\n", runProbe(t, toolProbe))
}

// Go's compiler reads only its folder and the packages that are listed, and writes only there.
func TestToolReadsNoFiles(t *testing.T) {
	secret := outside(t)
	tools, err := runGo(t.Context(), ".", "", "env", "GOTOOLDIR")
	require.NoError(t, err)
	compile := filepath.Join(strings.TrimSpace(tools), "compile")
	inJail(t, func(j *Jail) error {
		for what, files := range map[string][]string{"reads": {"-o=own.a", secret}, "writes": {"-o=" + filepath.Join(filepath.Dir(secret), "own.a"), "own.go"}, "imports": {"-importcfg=" + secret, "-o=own.a", "own.go"}} {
			dir, err := os.MkdirTemp(j.scratch, "")
			if err != nil {
				return err
			}
			err = errors.Join(os.WriteFile(filepath.Join(dir, "own.go"), []byte("package own\n"), 0o600), os.WriteFile(filepath.Join(dir, "files"), nil, 0o600))
			if err != nil {
				return err
			}
			if said, _, err := j.runTool(context.Background(), dir, []string{compile, "-p=own", "-o=own.a", "own.go"}); err != nil {
				return fmt.Errorf("the compiler doesn't run at all: %w: %s", err, said)
			}
			said, _, err := j.runTool(context.Background(), dir, append([]string{compile, "-p=own"}, files...))
			if err == nil || !strings.Contains(said, "permission denied") {
				return fmt.Errorf("%s: %w: %s", what, err, said)
			}
		}
		return nil
	})
	require.NoFileExists(t, filepath.Join(filepath.Dir(secret), "own.a"))
}
