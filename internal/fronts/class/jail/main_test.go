package jail

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// TestMain lets the tests start this program again in jail.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Command {
		if probe := probes[os.Getenv(probeVariable)]; probe != nil {
			os.Exit(probeJailed(probe))
		}
		os.Exit(Serve(nil))
	}
	os.Exit(m.Run())
}

// probeVariable makes a jailed process run a probe instead of a shader. Its name is passed on to
// jailed processes, as are all that begin like it.
const probeVariable = "LP_TEST_PROBE"

// toolProbe is the probe that confines its process itself.
const toolProbe = "tool"

// probes are the functions that try what a jailed process must not do, and print what happens.
var probes = map[string]func(){}

func probeJailed(probe func()) int {
	if os.Getenv(probeVariable) == toolProbe { // a tool is confined otherwise
		probe()
		return 0
	}
	if err := enter(); err != nil {
		fmt.Println(err)
		return 1
	}
	probe()
	return 0
}

// runProbe returns what a probe prints in jail.
func runProbe(t *testing.T, name string) string {
	t.Helper()
	printed, err := endProbe(t, name)
	require.NoError(t, err, printed)
	return printed
}

// endProbe returns what a probe prints in jail, and how it ends.
func endProbe(t *testing.T, name string) (printed string, ended error) {
	t.Helper()
	t.Setenv(probeVariable, name)
	inJail(t, func(j *Jail) error {
		dir, err := os.MkdirTemp(j.scratch, "")
		if err != nil {
			return err
		}
		out, err := j.process(context.Background(), dir, "").CombinedOutput()
		printed, ended = string(out), err
		return nil
	})
	return printed, ended
}

// inJail calls use with a jail, on a separate thread: its priority stays lowered. use must not end
// the test.
func inJail(t *testing.T, use func(*Jail) error) {
	t.Helper()
	ended := make(chan error)
	go func() {
		j, err := New(1, shader.CPU)
		if err == nil {
			err = use(j)
			j.Close()
		}
		ended <- err
	}()
	require.NoError(t, <-ended)
}
