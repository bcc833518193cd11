package show

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/networks/cellrun"
)

func TestMain(m *testing.M) {
	switch os.Getenv("SHOW_TEST_CELL") {
	case "":
	case "place":
		place := NewPlace()
		place.Show(Note{Title: "first"})
		place.Show(Note{Title: "second"})
		return
	case "long work", "short work":
		patience = 50 * time.Millisecond
		While("Working", func(step func(string)) ([]View, error) {
			for _, part := range []string{"the first part", "the second part"} {
				if step(part); os.Getenv("SHOW_TEST_CELL") == "long work" {
					time.Sleep(3 * patience)
				}
			}
			return []View{Note{Title: "first"}, Note{Title: "second"}}, nil
		})
		return
	case "kernel that dies":
		dyingKernel()
		return
	default:
		Display(Note{Title: "first"}, HTML(template.HTML("<b>second</b>"), "second"))
		return
	}
	os.Exit(m.Run())
}

// cell runs Display in a separate process, like a cell.
func cell(t *testing.T, environment ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	command := exec.CommandContext(ctx, os.Args[0])
	command.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "GONB_") })
	command.Env = append(append(command.Env, "SHOW_TEST_CELL=1"), environment...)
	return command
}

func TestDisplayOutsideANotebookPrintsTheText(t *testing.T) {
	command := cell(t)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	require.NoError(t, command.Run())
	require.Equal(t, "• first\nsecond\n", stdout.String())
	require.Empty(t, stderr.String())
}

func TestAPlaceOutsideANotebookPrintsOneTextAfterTheOther(t *testing.T) {
	command := cell(t, "SHOW_TEST_CELL=place")
	output, err := command.CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "• first\n• second\n", string(output))
}

// newPipes makes GoNB's pipes, from a cell and to it. They are opened for both
// directions, so that opening does not wait for the cell.
func newPipes(t *testing.T) (reader, writer *os.File, environment []string) {
	t.Helper()
	open := func(name string) *os.File {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, syscall.Mkfifo(path, 0o600))
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		t.Cleanup(func() { file.Close() })
		return file
	}
	reader, writer = open("pipe"), open("back")
	return reader, writer, []string{protocol.GONB_PIPE_ENV + "=" + reader.Name(), protocol.GONB_PIPE_BACK_ENV + "=" + writer.Name()}
}

// dyingKernel starts a cell. It ends once a byte on standard input says that the cell has something
// to show.
func dyingKernel() {
	cell := exec.Command(os.Args[0])
	cell.Env = append(os.Environ(), "SHOW_TEST_CELL=1")
	cell.Stdout, cell.Stderr = os.Stdout, os.Stderr
	if err := cell.Start(); err != nil {
		panic(err)
	}
	os.Stdin.Read(make([]byte, 1))
}

// A dead kernel reads no display and answers no sync. The cell must not wait the ten seconds that a
// slow kernel gets.
func TestACellDoesNotOutliveItsKernel(t *testing.T) {
	reader, _, pipes := newPipes(t)
	command := cell(t, append(pipes, "SHOW_TEST_CELL=kernel that dies")...)
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	// The cell holds standard output open for its lifetime.
	stdout, held, err := os.Pipe()
	require.NoError(t, err)
	defer stdout.Close()
	command.Stdout, command.Stderr = held, held
	require.NoError(t, command.Start())
	held.Close()

	require.NoError(t, reader.SetReadDeadline(time.Now().Add(20*time.Second)))
	require.NoError(t, gob.NewDecoder(reader).Decode(new(protocol.DisplayData)))
	_, err = stdin.Write([]byte("."))
	require.NoError(t, err)
	require.NoError(t, command.Wait())
	require.NoError(t, stdout.SetReadDeadline(time.Now().Add(8*time.Second)))
	said, err := io.ReadAll(stdout)
	require.NoError(t, err, "the cell is still there")
	require.Empty(t, string(said))
}

// displaysOf starts a cell and plays the kernel's side of GoNB's pipes until it ends: it reads the
// displays and answers each sync.
func displaysOf(t *testing.T, environment ...string) (displays []protocol.DisplayData) {
	reader, writer, pipes := newPipes(t)
	command := cell(t, append(pipes, environment...)...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	require.NoError(t, command.Start())
	ended := make(chan error, 1)
	go func() {
		ended <- command.Wait()
		reader.SetReadDeadline(time.Now())
	}()
	require.NoError(t, reader.SetReadDeadline(time.Now().Add(20*time.Second)))
	decoder, encoder := gob.NewDecoder(reader), gob.NewEncoder(writer)
	for {
		var message protocol.DisplayData
		if err := decoder.Decode(&message); err != nil {
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			require.NoError(t, <-ended)
			require.Empty(t, output.String(), "a cell that displays writes nothing else")
			return displays
		}
		value, isSync := message.Data[protocol.MIMECommValue].(protocol.CommValue)
		if !isSync {
			displays = append(displays, message)
			continue
		}
		require.Equal(t, protocol.GonbuiSyncAddress, value.Address)
		require.NoError(t, encoder.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: value.Value}))
	}
}

func TestDisplayInANotebookSendsBothFormsAndWaits(t *testing.T) {
	var bundles []map[protocol.MIMEType]any
	for _, d := range displaysOf(t) {
		bundles = append(bundles, d.Data)
	}
	require.Equal(t, []map[protocol.MIMEType]any{
		{protocol.MIMETextHTML: string(Note{Title: "first"}.HTML()), protocol.MIMETextPlain: "• first"},
		{protocol.MIMETextHTML: "<b>second</b>", protocol.MIMETextPlain: "second"},
	}, bundles)
}

// Long work says what it does, in the place where its first view appears at the end. Short work
// says nothing, and none does where no one watches.
func TestWhileSaysWhatLongWorkDoes(t *testing.T) {
	texts := func(displays []protocol.DisplayData) (texts []string) {
		for _, d := range displays {
			texts = append(texts, d.Data[protocol.MIMETextPlain].(string))
		}
		return texts
	}
	long := displaysOf(t, "SHOW_TEST_CELL=long work")
	said := texts(long)
	require.GreaterOrEqual(t, len(said), 3)
	require.Contains(t, said[0], "• Working…\n  the first part, 0 s so far")
	require.Contains(t, strings.Join(said, "\n"), "the second part")
	require.Equal(t, []string{"• first", "• second"}, said[len(said)-2:])
	for _, d := range long[:len(long)-1] {
		require.Equal(t, long[0].DisplayID, d.DisplayID)
		require.NotEmpty(t, d.DisplayID)
	}
	require.Empty(t, long[len(long)-1].DisplayID)

	require.Equal(t, []string{"• first", "• second"}, texts(displaysOf(t, "SHOW_TEST_CELL=short work")))
	require.Equal(t, []string{"• first", "• second"}, texts(displaysOf(t, "SHOW_TEST_CELL=long work", cellrun.Variable+"=1")))
	output, err := cell(t, "SHOW_TEST_CELL=long work").CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "• first\n• second\n", string(output))
}

func TestFailure(t *testing.T) {
	n := Failure(errors.New("work/relu.wgsl:7:3: no such name\n7 |   x\n  |   ^"))
	require.Equal(t, "✗ This cell could not go on\n  work/relu.wgsl:7:3: no such name.\n  7 |   x\n    |   ^", n.Text())
	require.Contains(t, string(n.HTML()), "7 |   x\n  |   ^</pre>")
	require.Equal(t, "There is no device.", Failure(errors.New("there is no device")).Body)
}

// Must returns a value if there is one, and otherwise ends the program.
func TestMust(t *testing.T) {
	if os.Getenv("SHOW_TEST_MUST") != "" {
		fmt.Println(Must(strconv.Atoi("7")))
		Must(strconv.Atoi("seven"))
		fmt.Println("not reached")
		return
	}
	cell := exec.Command(os.Args[0], "-test.run=^TestMust$")
	cell.Env = append(os.Environ(), "SHOW_TEST_MUST=1")
	out, err := cell.CombinedOutput()
	var ended *exec.ExitError
	require.ErrorAs(t, err, &ended)
	require.Equal(t, 1, ended.ExitCode())
	require.Equal(t, "7\n✗ This cell could not go on\n  strconv.Atoi: parsing \"seven\": invalid syntax.\n", string(out))
}
