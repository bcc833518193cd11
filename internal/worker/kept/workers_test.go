package kept_test

import (
	"bufio"
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/worker/kept"
)

// The tests of this package start themselves: as a worker that does as it is told, and
// as a program that has workers and is killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "worker":
			work()
			return
		case "owner":
			own()
			return
		}
	}
	os.Exit(m.Run())
}

// The kinds of requests of these tests.
const (
	says    kept.Kind = "says"    // its process id
	fails   kept.Kind = "fails"   // with a word
	spends  kept.Kind = "spends"  // its device
	hoards  kept.Kind = "hoards"  // memory
	dies    kept.Kind = "dies"    // halfway
	endless kept.Kind = "endless" // does not end
)

func work() {
	out := kept.NewAnswers(os.NewFile(3, "answers"))
	must(out.Ready("an abacus"))
	for decoder := gob.NewDecoder(os.Stdin); ; {
		var r kept.Request
		if decoder.Decode(&r) != nil {
			return
		}
		must(out.Taken())
		must(out.View(kept.View{"text/plain": strconv.Itoa(os.Getpid())}))
		var failure *kept.Failure
		memory := uint64(1)
		switch r.Kind {
		case fails:
			failure = &kept.Failure{Name: "Failed", Message: "as it was told"}
		case hoards:
			memory = 1000
		case dies:
			os.Exit(3)
		case endless:
			select {}
		}
		must(out.Done(failure, r.Kind == spends, memory))
	}
}

func own() {
	w := with(kept.Config{})
	var pid string
	_, err := w.Do(context.Background(), kept.Request{Kind: says}, func(v kept.View) { pid = v["text/plain"] })
	must(err)
	fmt.Println(pid)
	select {}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func with(c kept.Config) *kept.Workers {
	c.Command = []string{os.Args[0], "worker"}
	if c.Deadline == 0 {
		c.Deadline = 20 * time.Second
	}
	if c.Idle == 0 {
		c.Idle = time.Minute
	}
	if c.Requests == 0 {
		c.Requests = 100
	}
	c.Memory = 100
	return kept.New(c)
}

// do has a request answered, and gives who did.
func do(t *testing.T, w *kept.Workers, ctx context.Context, kind kept.Kind) (pid int, failure *kept.Failure, err error) {
	t.Helper()
	failure, err = w.Do(ctx, kept.Request{Kind: kind}, func(v kept.View) {
		pid, _ = strconv.Atoi(v["text/plain"])
	})
	return pid, failure, err
}

func answeredBy(t *testing.T, w *kept.Workers, kind kept.Kind) int {
	t.Helper()
	pid, _, err := do(t, w, t.Context(), kind)
	require.NoError(t, err)
	return pid
}

func gone(t *testing.T, pid int) {
	t.Helper()
	ended := func() bool { // a process that nobody waits for leaves its number, and no command line
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return syscall.Kill(pid, 0) != nil || err == nil && len(line) == 0
	}
	require.Eventually(t, ended, 10*time.Second, 5*time.Millisecond, "worker %d lives on", pid)
}

func TestOneWorkerAnswersThemAll(t *testing.T) {
	w := with(kept.Config{})
	defer w.Close()
	w.Warm()
	first := answeredBy(t, w, says)
	require.Equal(t, first, answeredBy(t, w, says))
	pid, failure, err := do(t, w, t.Context(), fails)
	require.NoError(t, err)
	require.Equal(t, first, pid)
	require.Equal(t, &kept.Failure{Name: "Failed", Message: "as it was told"}, failure)
	w.Close()
	gone(t, first)
	_, _, err = do(t, w, t.Context(), says)
	require.Error(t, err)
}

func TestAWorkerIsReplaced(t *testing.T) {
	w := with(kept.Config{Requests: 3})
	defer w.Close()
	for _, kind := range []kept.Kind{spends, hoards} {
		pid := answeredBy(t, w, kind)
		require.NotEqual(t, pid, answeredBy(t, w, says), kind)
		gone(t, pid)
	}
	answeredBy(t, w, spends) // the next one has answered nothing yet
	first := answeredBy(t, w, says)
	require.Equal(t, first, answeredBy(t, w, says))
	require.Equal(t, first, answeredBy(t, w, says))
	require.NotEqual(t, first, answeredBy(t, w, says), "it has answered three")
}

func TestALostWorker(t *testing.T) {
	w := with(kept.Config{Deadline: 300 * time.Millisecond})
	defer w.Close()
	answeredBy(t, w, says)
	pid, _, err := do(t, w, t.Context(), dies)
	lost, ok := kept.IsLost(err)
	require.True(t, ok, err)
	require.Equal(t, "exit status 3", lost.Ended)
	require.Equal(t, "an abacus", lost.Adapter)
	gone(t, pid)

	pid, _, err = do(t, w, t.Context(), endless)
	lost, ok = kept.IsLost(err)
	require.True(t, ok, err)
	require.Empty(t, lost.Ended)
	require.ErrorContains(t, err, "did not end within 300ms")
	gone(t, pid)
	answeredBy(t, w, says)
}

// kill ends this process's workers, and does not wait for that.
func kill(t *testing.T) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	for _, task := range tasks {
		children, _ := os.ReadFile(task) // a thread may have ended
		for _, child := range strings.Fields(string(children)) {
			pid, err := strconv.Atoi(child)
			require.NoError(t, err)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// What ended the workers was not the request that comes then, seen yet or not.
func TestWorkersThatEndBetweenTwoRequests(t *testing.T) {
	w := with(kept.Config{})
	defer w.Close()
	for range 30 {
		pid := answeredBy(t, w, says)
		kill(t)
		require.NotEqual(t, pid, answeredBy(t, w, says))
	}
}

func TestAnInterruptEndsTheWorker(t *testing.T) {
	w := with(kept.Config{})
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	started := time.Now()
	pid, _, err := do(t, w, ctx, endless)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(started), 5*time.Second)
	if pid != 0 { // it had begun
		gone(t, pid)
	}
	answeredBy(t, w, says)
}

func TestIdleWorkersRest(t *testing.T) {
	w := with(kept.Config{Idle: 200 * time.Millisecond})
	defer w.Close()
	pid := answeredBy(t, w, says)
	gone(t, pid)
	require.NotEqual(t, pid, answeredBy(t, w, says))
}

func TestManyAtOnceTakeTurns(t *testing.T) {
	w := with(kept.Config{Requests: 4})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			kind := []kept.Kind{says, fails, spends, says}[i%4]
			if _, err := w.Do(t.Context(), kept.Request{Kind: kind}, func(kept.View) {}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	w.Close()
	w.Close()
}

func TestAWorkerThatCannotBeStarted(t *testing.T) {
	w := kept.New(kept.Config{Command: []string{"/nonexistent"}, Deadline: time.Second, Idle: time.Minute, Requests: 1, Memory: 1})
	defer w.Close()
	w.Warm()
	_, err := w.Do(t.Context(), kept.Request{Kind: says}, func(kept.View) {})
	require.ErrorContains(t, err, "starting a worker")
}

// However its owner ends, so does the worker.
func TestNoWorkerOutlivesItsOwner(t *testing.T) {
	owner := exec.Command(os.Args[0], "owner")
	out, err := owner.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, owner.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err)
	require.NoError(t, owner.Process.Kill())
	_ = owner.Wait()
	gone(t, pid)
}
