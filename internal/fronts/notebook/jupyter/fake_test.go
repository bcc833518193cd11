package jupyter

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// The tests of this file drive a kernel that misbehaves.

// fakes is the folder of the fake kernel and its specs.
var fakes string

const ownerMode = "WGSLAB_TEST_OWNER"

func TestMain(m *testing.M) {
	if os.Getenv(ownerMode) != "" {
		runOwner()
		return
	}
	os.Exit(jupytertest.Within(func(dir string) int {
		fakes = dir
		return m.Run()
	}))
}

// fake is the spec of a fake kernel, by its name in package jupytertest.
func fake(t *testing.T, name string) kernelspec.Spec {
	t.Helper()
	spec, err := kernelspec.Read(filepath.Join(fakes, "kernels", name))
	require.NoError(t, err)
	return spec
}

func TestMisbehavingKernel(t *testing.T) {
	t.Parallel()
	const deadline = 30 * time.Second // none of these may need it
	for code, check := range map[string]func(*testing.T, outcome){
		jupytertest.Fine: func(t *testing.T, o outcome) {
			require.NoError(t, o.err)
			require.Equal(t, "ok", o.reply.Status)
		},
		jupytertest.NoReply: func(t *testing.T, o outcome) {
			require.ErrorIs(t, o.err, errNoReply)
			require.ErrorContains(t, o.err, "sent no reply")
		},
		jupytertest.NoIdle: func(t *testing.T, o outcome) {
			require.ErrorIs(t, o.err, errNoReply)
			require.ErrorContains(t, o.err, "did not become idle")
		},
		jupytertest.BadSignature: func(t *testing.T, o outcome) {
			require.ErrorIs(t, o.err, errSignature)
			require.NotContains(t, o.streams["stdout"], "forged")
		},
		jupytertest.Garbage: func(t *testing.T, o outcome) {
			require.ErrorIs(t, o.err, ErrFormat)
		},
		jupytertest.Unknown: func(t *testing.T, o outcome) {
			require.NoError(t, o.err)
			require.Len(t, o.of("frobnicate"), 1)
		},
		jupytertest.Strangers: func(t *testing.T, o outcome) {
			require.NoError(t, o.err)
			require.Equal(t, "ok", o.reply.Status)
			require.NotContains(t, o.streams["stdout"], "not yours")
		},
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			k := start(t, fake(t, jupytertest.Fake))
			begin := time.Now()
			got := executeFor(t, k, code, deadline)
			require.Less(t, time.Since(begin), deadline)
			require.Contains(t, got.streams["stdout"], "before\n", "the output up to then is kept")
			check(t, got)
		})
	}
}

func TestKernelThatHangsUp(t *testing.T) {
	t.Parallel()
	k := start(t, fake(t, jupytertest.Fake))
	_, err := k.Execute(t.Context(), Request{Code: jupytertest.HangsUp, Output: func(Message) error {
		return k.interrupt()
	}})
	require.ErrorContains(t, err, "the fake kernel hung up")
}

func TestKernelThatDiesMidCell(t *testing.T) {
	t.Parallel()
	k := start(t, fake(t, jupytertest.Fake))
	_, err := k.Execute(t.Context(), Request{Code: jupytertest.DiesOnCall, Output: func(Message) error {
		return k.interrupt()
	}})
	var dead *DeadError
	require.ErrorAs(t, err, &dead)
	require.Equal(t, "exit status 137", dead.State)
	require.Contains(t, dead.Log, "out of memory")
}

// The client keeps the messages that a kernel sent before it died, however late it reads them and
// whatever processes remain.
func TestLastWords(t *testing.T) {
	t.Parallel()
	for _, code := range []string{jupytertest.LastWords, jupytertest.Orphan} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			k := start(t, fake(t, jupytertest.Fake))
			var last string
			_, err := k.Execute(t.Context(), Request{Code: code, Output: func(m Message) error {
				var content struct{ Text string }
				require.NoError(t, json.Unmarshal(m.Content, &content))
				last, _, _ = strings.Cut(content.Text, " ")
				if last == "990" { // what follows fits between us and the kernel
					<-k.process.exited
					waitFor(k.client.failed, 1500*time.Millisecond)
				}
				return nil
			}})
			var dead *DeadError
			require.ErrorAs(t, err, &dead)
			require.Equal(t, "signal: killed", dead.State)
			require.Equal(t, "999", last)
		})
	}
}

func waitFor(done <-chan struct{}, patience time.Duration) {
	select {
	case <-done:
	case <-time.After(patience):
	}
}

// If a kernel dies after a cell, that cell keeps its result, and the next cell reports how the
// kernel died.
func TestKernelThatDiesAfterACell(t *testing.T) {
	t.Parallel()
	for range 10 {
		k := start(t, fake(t, jupytertest.Fake))
		got := executeFor(t, k, jupytertest.DiesAfter, time.Minute)
		require.NoError(t, got.err)
		require.Equal(t, "ok", got.reply.Status)

		got = executeFor(t, k, jupytertest.Fine, time.Minute)
		var dead *DeadError
		require.ErrorAs(t, got.err, &dead)
		require.Equal(t, "exit status 1", dead.State)
	}
}

// If the kernel is shut down while code runs, the code's error names the shutdown, not how the
// kernel ended.
func TestShutdownMidCell(t *testing.T) {
	t.Parallel()
	for range 10 {
		k := start(t, fake(t, jupytertest.Fake))
		_, err := k.Execute(t.Context(), Request{Code: jupytertest.Endless, Output: func(Message) error {
			go func() { _ = k.Shutdown(context.Background()) }() // once is enough: start's clean-up sees its error
			return nil
		}})
		require.ErrorIs(t, err, errShutDown)
	}
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	var late *DeadlineError
	k := start(t, fake(t, jupytertest.Fake))
	got := executeFor(t, k, jupytertest.Endless, 100*time.Millisecond)
	require.ErrorAs(t, got.err, &late)
	require.NotErrorIs(t, got.err, ErrStuck)
	require.Equal(t, "before\n", got.streams["stdout"])

	require.NoError(t, executeFor(t, k, jupytertest.Fine, time.Minute).err)

	got = executeFor(t, k, jupytertest.Deaf, 100*time.Millisecond)
	require.ErrorAs(t, got.err, &late)
	require.ErrorIs(t, got.err, ErrStuck)
}

// A flood must neither pile up here nor keep the kernel from being interrupted.
func TestFlood(t *testing.T) {
	t.Parallel()
	k := start(t, fake(t, jupytertest.Fake))
	size, full := 0, errors.New("full")
	_, err := k.Execute(t.Context(), Request{Code: jupytertest.Flood, Output: func(m Message) error {
		if size += len(m.Content); size > 1_000_000 {
			return full
		}
		return nil
	}})
	require.ErrorIs(t, err, full)
	require.NotErrorIs(t, err, ErrStuck)
	require.Less(t, size, 1_100_000)
}

func TestCancelReturnsAtOnce(t *testing.T) {
	t.Parallel()
	k := start(t, fake(t, jupytertest.Fake))
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("Ctrl-C")
	_, err := k.Execute(ctx, Request{Code: jupytertest.Endless, Output: func(Message) error {
		cancel(reason)
		return nil
	}})
	require.ErrorIs(t, err, reason)
}

func TestKernelThatWillNotEnd(t *testing.T) {
	t.Parallel()
	k := start(t, fake(t, jupytertest.WillNotEnd))
	require.Len(t, processesOf(k), 2)
	begin := time.Now()
	require.NoError(t, k.Shutdown(t.Context()))
	require.Less(t, time.Since(begin), 2*shutdownPatience+2*time.Second)
	requireGone(t, k)
}

func TestKernelThatDoesNotStart(t *testing.T) {
	t.Run("it dies", func(t *testing.T) {
		_, err := Start(t.Context(), fake(t, jupytertest.DiesAtOnce), t.TempDir())
		var dead *DeadError
		require.ErrorAs(t, err, &dead)
		require.ErrorContains(t, err, "exit status 3")
		require.ErrorContains(t, err, "no licence found")
	})
	t.Run("it never answers", func(t *testing.T) {
		reason := errors.New("long enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, reason)
		defer cancel()
		_, err := Start(ctx, fake(t, jupytertest.NeverSpeaks), t.TempDir())
		require.ErrorIs(t, err, reason)
	})
	t.Run("its answer is forged", func(t *testing.T) {
		_, err := Start(t.Context(), fake(t, jupytertest.ForgesInfo), t.TempDir())
		require.ErrorIs(t, err, errSignature)
	})
	t.Run("its program is missing", func(t *testing.T) {
		spec := fake(t, jupytertest.Fake)
		spec.Argv[0] = "no-such-kernel-program"
		_, err := Start(t.Context(), spec, t.TempDir())
		require.ErrorContains(t, err, `"no-such-kernel-program": there is no such program`)
	})
	t.Run("its folder is missing", func(t *testing.T) {
		_, err := Start(t.Context(), fake(t, jupytertest.Fake), filepath.Join(t.TempDir(), "gone"))
		require.ErrorContains(t, err, "no such file or directory")
	})
}

// runOwner starts a GoNB kernel with a daemon and an endless cell, reports that, and waits to be
// killed.
func runOwner() {
	spec, err := kernelspec.Find(kernelspec.Name, os.Getenv(ownerMode))
	jupytertest.Must(err)
	k, err := Start(context.Background(), spec, os.TempDir())
	jupytertest.Must(err)
	_, err = k.Execute(context.Background(), Request{Code: daemon, Output: func(Message) error { return nil }})
	jupytertest.Must(err)
	_, err = k.Execute(context.Background(), Request{Code: endlessCell, Output: whenPrinted(func(int) {
		fmt.Println(k.process.session(), k.process.mark, k.process.scratch)
	})})
	jupytertest.Must(err)
}

// startOwner starts this program as the owner of a kernel.
func startOwner(t *testing.T) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	require.NoError(t, err)
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), ownerMode+"="+filepath.Join(root, ".venv"))
	owner.Stderr = os.Stderr
	out, err := owner.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, owner.Start())
	t.Cleanup(func() { _ = owner.Process.Kill() })
	return owner, bufio.NewScanner(out)
}

// readOwned reads which kernel the owner has started.
func readOwned(t *testing.T, lines *bufio.Scanner) (pid int, mark, scratch string) {
	t.Helper()
	require.True(t, lines.Scan(), "the owner ended without a kernel")
	_, err := fmt.Sscan(lines.Text(), &pid, &mark, &scratch)
	require.NoError(t, err)
	return pid, mark, scratch
}

// guardsOfTests lists the guards that this process has started.
func guardsOfTests() (pids []int) {
	tasks, _ := filepath.Glob("/proc/self/task/*/children") // fails only on a bad pattern
	for _, task := range tasks {
		children, _ := os.ReadFile(task) // a thread may have ended
		for _, child := range strings.Fields(string(children)) {
			line, _ := os.ReadFile("/proc/" + child + "/cmdline")
			if pid, err := strconv.Atoi(child); err == nil && bytes.HasSuffix(line, []byte("kernel-guard\x00")) {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// The next guard guards the kernel, whether the kernel has started or not.
func TestAKilledGuardIsReplaced(t *testing.T) {
	kill := func(guards []int) {
		require.Len(t, guards, 1)
		require.NoError(t, syscall.Kill(guards[0], syscall.SIGKILL))
		require.Eventually(t, func() bool {
			now := guardsOfTests()
			return len(now) == 1 && now[0] != guards[0]
		}, 10*time.Second, time.Millisecond)
	}
	p, err := Launch(fake(t, jupytertest.Fake), t.TempDir(), "guarded", func(string, map[string]string) error {
		kill(guardsOfTests())
		return nil
	})
	require.NoError(t, err)
	kill(guardsOfTests())
	p.guarding.Lock()
	require.NoError(t, p.guard.pipe.Close()) // as if this process had ended
	p.guarding.Unlock()
	select {
	case <-p.Exited():
	case <-time.After(10 * time.Second):
		require.Fail(t, "the kernel goes on")
	}
	require.Eventually(t, func() bool {
		_, err := os.Stat(p.scratch)
		return os.IsNotExist(err)
	}, 10*time.Second, time.Millisecond)
	require.NoError(t, p.Kill())
}
