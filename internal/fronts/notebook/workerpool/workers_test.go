package workerpool_test

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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
)

// The tests of this package start this program again: as a test worker, and as a program that has
// workers and is killed.
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
	says    protocol.RequestKind = "says"    // its process id
	fails   protocol.RequestKind = "fails"   // with a word
	spends  protocol.RequestKind = "spends"  // its device
	hoards  protocol.RequestKind = "hoards"  // memory, over its limit
	dies    protocol.RequestKind = "dies"    // halfway
	endless protocol.RequestKind = "endless" // does not end
)

func work() {
	out := workerpool.NewReplies(os.NewFile(3, "replies"))
	must(out.Ready("an abacus"))
	for decoder := gob.NewDecoder(os.Stdin); ; {
		var r workerpool.QueuedRequest
		if decoder.Decode(&r) != nil {
			return
		}
		must(out.Taken())
		must(out.View(protocol.View{"text/plain": strconv.Itoa(os.Getpid())}))
		var failure *protocol.Failure
		switch r.Request.Do {
		case fails:
			failure = &protocol.Failure{Name: "Failed", Message: "as it was told"}
		case hoards:
			must(out.Hungry("3 bytes"))
			os.Exit(1)
		case dies:
			os.Exit(3)
		case endless:
			select {}
		}
		must(out.Done(failure, r.Request.Do == spends))
	}
}

func own() {
	w := with(workerpool.Config{})
	var pid string
	err := w.Do(context.Background(), "", protocol.Request{Do: says}, func(v protocol.View) { pid = v["text/plain"] })
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

func with(c workerpool.Config) *workerpool.Workers {
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
	return workerpool.New(c)
}

// do sends a request, and returns the process id of the worker that answered.
func do(t *testing.T, w *workerpool.Workers, ctx context.Context, kind protocol.RequestKind) (pid int, err error) {
	t.Helper()
	err = w.Do(ctx, "", protocol.Request{Do: kind}, func(v protocol.View) {
		pid, _ = strconv.Atoi(v["text/plain"])
	})
	return pid, err
}

func answeredBy(t *testing.T, w *workerpool.Workers, kind protocol.RequestKind) int {
	t.Helper()
	pid, err := do(t, w, t.Context(), kind)
	require.NoError(t, err)
	return pid
}

func gone(t *testing.T, pid int) {
	t.Helper()
	ended := func() bool { // a dead child that no process waits for keeps its number, but has no command line
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return syscall.Kill(pid, 0) != nil || err == nil && len(line) == 0
	}
	require.Eventually(t, ended, 10*time.Second, 5*time.Millisecond, "worker %d lives on", pid)
}

func TestOneWorkerAnswersThemAll(t *testing.T) {
	w := with(workerpool.Config{})
	defer w.Close()
	first := answeredBy(t, w, says)
	require.Equal(t, first, answeredBy(t, w, says))
	pid, err := do(t, w, t.Context(), fails)
	require.Equal(t, first, pid)
	require.Equal(t, &protocol.Failure{Name: "Failed", Message: "as it was told"}, err)
	w.Close()
	gone(t, first)
	_, err = do(t, w, t.Context(), says)
	require.Error(t, err)
}

func TestAWorkerIsReplaced(t *testing.T) {
	w := with(workerpool.Config{Requests: 3})
	defer w.Close()
	pid := answeredBy(t, w, spends)
	require.NotEqual(t, pid, answeredBy(t, w, says))
	gone(t, pid)
	answeredBy(t, w, spends) // the next one has answered nothing yet
	first := answeredBy(t, w, says)
	require.Equal(t, first, answeredBy(t, w, says))
	require.Equal(t, first, answeredBy(t, w, says))
	require.NotEqual(t, first, answeredBy(t, w, says), "it has answered three")
}

func TestALostWorker(t *testing.T) {
	w := with(workerpool.Config{Deadline: 300 * time.Millisecond})
	defer w.Close()
	answeredBy(t, w, says)
	pid, err := do(t, w, t.Context(), dies)
	lost, ok := workerpool.IsLost(err)
	require.True(t, ok, err)
	require.Equal(t, "exit status 3", lost.Ended)
	require.Equal(t, "an abacus", lost.Adapter)
	gone(t, pid)

	pid, err = do(t, w, t.Context(), hoards)
	lost, ok = workerpool.IsLost(err)
	require.True(t, ok, err)
	require.Equal(t, "3 bytes", lost.Hungry)
	require.ErrorContains(t, err, "needed more than 3 bytes of memory")
	gone(t, pid)

	pid, err = do(t, w, t.Context(), endless)
	lost, ok = workerpool.IsLost(err)
	require.True(t, ok, err)
	require.Empty(t, lost.Ended)
	require.ErrorContains(t, err, "did not finish within 300ms")
	gone(t, pid)
	answeredBy(t, w, says)
}

// children lists the processes that this process has started.
func children(t *testing.T) (pids []int) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	for _, task := range tasks {
		children, _ := os.ReadFile(task) // a thread may have ended
		for _, child := range strings.Fields(string(children)) {
			pid, err := strconv.Atoi(child)
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// kill kills this process's workers, and does not wait for their end.
func kill(t *testing.T) {
	t.Helper()
	for _, pid := range children(t) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// The workers' end was not the fault of the next request, whether the pool has noticed the end or
// not.
func TestWorkersThatEndBetweenTwoRequests(t *testing.T) {
	w := with(workerpool.Config{})
	defer w.Close()
	for range 30 {
		pid := answeredBy(t, w, says)
		kill(t)
		require.NotEqual(t, pid, answeredBy(t, w, says))
	}
}

func TestAnInterruptEndsTheWorker(t *testing.T) {
	w := with(workerpool.Config{})
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	started := time.Now()
	pid, err := do(t, w, ctx, endless)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(started), 5*time.Second)
	if pid != 0 { // it had begun
		gone(t, pid)
	}
	answeredBy(t, w, says)
}

func TestIdleWorkersRest(t *testing.T) {
	w := with(workerpool.Config{Idle: 200 * time.Millisecond})
	defer w.Close()
	pid := answeredBy(t, w, says)
	gone(t, pid)
	require.NotEqual(t, pid, answeredBy(t, w, says))
}

// A notebook that was only opened needs no worker.
func TestNoWorkerStartsByItself(t *testing.T) {
	w := with(workerpool.Config{})
	defer w.Close()
	time.Sleep(200 * time.Millisecond)
	require.Empty(t, children(t))
	require.Equal(t, []int{answeredBy(t, w, says)}, children(t))
}

func TestManyAtOnceTakeTurns(t *testing.T) {
	w := with(workerpool.Config{Requests: 4})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			kind := []protocol.RequestKind{says, fails, spends, says}[i%4]
			err := w.Do(t.Context(), "", protocol.Request{Do: kind}, func(protocol.View) {})
			if kind == fails {
				assert.ErrorAs(t, err, new(*protocol.Failure))
			} else {
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
	w.Close()
	w.Close()
}

func TestAWorkerThatCannotBeStarted(t *testing.T) {
	w := workerpool.New(workerpool.Config{Command: []string{"/nonexistent"}, Deadline: time.Second, Idle: time.Minute, Requests: 1})
	defer w.Close()
	err := w.Do(t.Context(), "", protocol.Request{Do: says}, func(protocol.View) {})
	require.ErrorContains(t, err, "starting a worker")
}

// A worker ends with its owner, however the owner ends.
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
