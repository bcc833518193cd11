package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/ground/repository"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func newWatchCommand() *cobra.Command {
	var all bool
	var asked string
	command := &cobra.Command{
		Use:   "watch [FOLDER]",
		Short: "Check each file that you save, and show its verdict",
		Long: `Watch waits until you save a file in work/, and then checks it: ID.wgsl is a shader, and
ID.go or ID.js a host program. If you save again during a check, that check ends and
another begins. If you save host.go or host.js, the host program in that language which
you saved last is checked again. It records your tries, as wgslab check does.

Before the first save and after each verdict, watch names the next exercise on the map. If
you have no file for it yet, watch writes one with the lesson's first lines. It never
changes a file that exists.

FOLDER is the folder that has work/, by default this one or lessons/.

Exit codes: 1 failed, 2 wrong usage, 130 Ctrl-C.`,
		Example: "  wgslab watch\n  wgslab watch lessons --engine simulator",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := shader.ParseKind(asked); err != nil {
				return err
			}
			if err := goToWatched(args); err != nil {
				return err
			}
			program, err := os.Executable()
			if err != nil {
				return &codedError{exitNotRight, fmt.Errorf("finding the program that checks: %w", err)}
			}
			w := &watch{
				folder: workFolder(), out: cmd.OutOrStdout(), errors: cmd.ErrOrStderr(), named: map[string]bool{}, pieces: map[string]string{}, again: map[string]string{},
				check: []string{program, "check", "--engine=" + asked, fmt.Sprintf("--all=%t", all)},
			}
			if err := w.run(cmd.Context()); err != nil {
				return &codedError{exitNotRight, err}
			}
			return &codedError{code: exitInterrupted}
		},
	}
	command.Flags().BoolVar(&all, "all", false, "print everything that a check knows, not only the most helpful")
	command.Flags().StringVar(&asked, "engine", "auto", "what runs the shaders: "+shader.KindNames)
	return command
}

// goToWatched enters the folder that the arguments name. Its work folder is then the one that
// checks find.
func goToWatched(args []string) error {
	if len(args) == 1 {
		dir, err := filepath.Abs(args[0])
		if err == nil && filepath.Base(dir) == learner.Dir && isFolder(dir) {
			dir = filepath.Dir(dir)
		}
		if err == nil {
			err = os.Chdir(dir)
		}
		if err != nil {
			return fmt.Errorf("entering the folder to watch: %w", err)
		}
	}
	if isFolder(workFolder()) {
		return nil
	}
	return errors.New("there is no folder work here or in lessons/: wgslab lessons makes your copies of the notebooks, and mkdir work makes an empty one")
}

const (
	// quiet is how long a file must rest before its check begins. An editor may write it in
	// several steps.
	quiet = 100 * time.Millisecond

	// grace is how long a check may take to end after an interrupt.
	grace = 300 * time.Millisecond

	// slowly is how long a check may take before watch says why.
	slowly = 1500 * time.Millisecond

	// sameSave is how long after a check the same text again is still the same save.
	sameSave = time.Second
)

// A watch checks the files in a work folder when they are saved.
type watch struct {
	folder      string
	check       []string // the command that checks, without the exercise
	out, errors io.Writer

	saved   []string          // the names of files that rest until their checks begin
	queue   []string          // the names of saved files that are still to be checked
	running *watchedCheck     // nil between checks
	last    *watchedCheck     // the one that ended last
	named   map[string]bool   // files that aren't an exercise's and were named
	pieces  map[string]string // the texts of host files, as checks have left them
	again   map[string]string // the host file that was saved, by the program that is checked for it
	begun   string            // the text that watch has written last, until its event comes
}

// A watchedCheck is a check of one file, in a process of its own. So a driver that hangs or crashes
// ends only that check.
type watchedCheck struct {
	name, text  string
	stop        context.CancelFunc
	done        chan struct{}
	said, noted bytes.Buffer // stdout and stderr
	err         error
	ended       time.Time
	slow        *time.Timer // a learner who waits wants to know why
}

// run watches the folder until the context ends.
func (w *watch) run(ctx context.Context) error {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching %s: %w", w.folder, err)
	}
	defer events.Close()
	if err := events.Add(w.folder); err != nil {
		return fmt.Errorf("watching %s: %w", w.folder, err)
	}
	defer w.stop()
	w.keepPieces()
	fmt.Fprintf(w.out, "Watching %s: save a file there, and its verdict appears here. Ctrl-C ends.\n", w.folder)
	w.next()
	rest := time.NewTimer(quiet)
	for {
		var done chan struct{}
		var slow <-chan time.Time
		if w.running != nil {
			done, slow = w.running.done, w.running.slow.C
		}
		select {
		case <-ctx.Done():
			return nil
		case event := <-events.Events:
			if event.Has(fsnotify.Remove|fsnotify.Rename) && filepath.Clean(event.Name) == w.folder && events.Add(w.folder) != nil {
				return fmt.Errorf("the folder %s is gone: start watch again where it is now", w.folder)
			}
			if w.note(event) {
				rest.Reset(quiet)
			}
		case err := <-events.Errors:
			fmt.Fprintf(w.errors, "wgslab: a save may have been missed, so save again: %v\n", err)
		case <-rest.C:
			w.take()
			w.checkNext(ctx)
		case <-slow:
			fmt.Fprintln(w.out, "  "+w.running.waits())
		case <-done:
			if !w.finish() {
				rest.Reset(quiet)
			}
			w.checkNext(ctx)
		}
	}
}

// note remembers the file of an event, and reports whether it may be a learner's.
func (w *watch) note(event fsnotify.Event) bool {
	name := filepath.Base(event.Name)
	if !event.Has(fsnotify.Create|fsnotify.Write) || notAnExercises(name) == notNamed && !isHostFile(name) {
		return false
	}
	w.saved = append(w.saved, name)
	return true
}

// take puts saved files into the queue, each once. They replace the check that is running.
func (w *watch) take() {
	var queue []string
	taken := map[string]bool{}
	for _, name := range w.saved {
		if isHostFile(name) {
			if user := w.user(name); user != "" && !taken[user] {
				queue, w.again[user] = append(queue, user), name
			}
		} else if !taken[name] && w.isNew(name) {
			queue = append(queue, name)
		}
		taken[name] = true
	}
	w.saved = nil
	if len(queue) == 0 {
		return
	}
	if w.running != nil {
		w.stop()
		w.replaced()
	}
	w.queue = queue
}

// hostFiles hold the learner's pieces of the host.
var hostFiles = []string{filepath.Base(host.GoFile), filepath.Base(host.ScriptFile)}

func isHostFile(name string) bool { return slices.Contains(hostFiles, name) }

// keepPieces notes the host files' texts. A check of a piece writes them, which is no save.
func (w *watch) keepPieces() {
	for _, name := range hostFiles {
		w.pieces[name], _ = learner.ReadShader(filepath.Join(w.folder, name)) // there may be none
	}
}

// user returns the program to check after a host file was saved: the one in its language that was
// saved last. It is "" if there is none, or if the text is as a check has left it.
func (w *watch) user(file string) (name string) {
	text, err := learner.ReadShader(filepath.Join(w.folder, file))
	if err != nil || text == w.pieces[file] || w.running != nil && w.running.isPiece() {
		return ""
	}
	w.pieces[file] = text
	var newest time.Time
	for _, e := range course.OnHost {
		own := e.ID + filepath.Ext(file)
		info, err := os.Stat(filepath.Join(w.folder, own))
		if err == nil && !e.Host.Piece && info.ModTime().After(newest) {
			name, newest = own, info.ModTime()
		}
	}
	return name
}

// replaced says that a check shows no verdict.
func (w *watch) replaced() { fmt.Fprintln(w.out, "  You saved again: this check has ended.") }

// isNew reports whether a file is an exercise's, with a text that isn't checked yet or was saved
// anew. It says once what is wrong with the name of another file.
func (w *watch) isNew(name string) bool {
	path := filepath.Join(w.folder, name)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~") {
		return false // an editor's own
	}
	if why := notAnExercises(name); why != "" {
		if !w.named[name] {
			fmt.Fprintln(w.out, "\n"+filled(fmt.Sprintf("%s is not checked: %s.", path, why)))
		}
		w.named[name] = true
		return false
	}
	text, err := learner.ReadShader(path)
	same := func(c *watchedCheck) bool { return c != nil && c.name == name && c.text == text }
	switch {
	case err == nil && w.begun == text && text != "":
		w.begun = ""
		return false
	case err == nil && same(w.running):
		return false
	case err == nil && same(w.last) && time.Since(w.last.ended) < sameSave:
		return false
	}
	return true
}

// notNamed says that a file isn't an exercise's and doesn't look like one.
const notNamed = "-"

// notAnExercises says why a file isn't that of an exercise; "" if it is.
func notAnExercises(name string) string {
	ext := filepath.Ext(name)
	id := strings.TrimSuffix(name, ext)
	exercise, err := course.Find(id)
	isShader, isProgram := ext == ".wgsl", ext == ".go" || ext == ".js"
	switch {
	case err != nil && (isShader || isProgram):
		return err.Error()
	case err != nil:
		return notNamed
	case exercise.IsOnHost() && !isProgram:
		return fmt.Sprintf("%s is a program, so name its file %s.go or %s.js", id, id, id)
	case !exercise.IsOnHost() && !isShader:
		return fmt.Sprintf("%s is a shader, so name its file %s.wgsl", id, id)
	}
	return ""
}

// checkNext starts the check of the first file in the queue, unless one is running.
func (w *watch) checkNext(ctx context.Context) {
	if w.running != nil || len(w.queue) == 0 {
		return
	}
	c := &watchedCheck{name: w.queue[0], done: make(chan struct{}), slow: time.NewTimer(slowly)}
	w.queue = w.queue[1:]
	path := filepath.Join(w.folder, c.name)
	c.text, _ = learner.ReadShader(path) // the check says what is wrong with it
	why := ""
	if file := w.again[c.name]; file != "" {
		why = fmt.Sprintf(" again, with %s", filepath.Join(w.folder, file))
		delete(w.again, c.name)
	}
	fmt.Fprintf(w.out, "\n── %s%s, saved at %s\n", path, why, time.Now().Format(time.TimeOnly))
	ctx, c.stop = context.WithCancel(ctx)
	id := strings.TrimSuffix(c.name, filepath.Ext(c.name))
	command := exec.CommandContext(ctx, w.check[0], append(w.check[1:], id)...)
	command.Stdout, command.Stderr, command.WaitDelay = &c.said, &c.noted, grace
	command.Cancel = func() error {
		if command.Process.Signal(os.Interrupt) == nil { // it ends what it has started
			return nil
		}
		return command.Process.Kill()
	}
	w.running = c
	go func() {
		defer close(c.done)
		c.err = command.Run()
	}()
}

// isPiece reports whether the check may write a host file: it is of a piece.
func (c *watchedCheck) isPiece() bool {
	e, err := course.Find(strings.TrimSuffix(c.name, filepath.Ext(c.name)))
	return err == nil && e.IsOnHost() && e.Host.Piece
}

// waits says what a check that takes long is doing.
func (c *watchedCheck) waits() string {
	if filepath.Ext(c.name) == ".go" {
		return buildsFirst
	}
	return "The check is still running."
}

// finish shows the verdict of the check that has ended. It shows none, and returns false, if the
// file has changed since: the check may have read either text.
func (w *watch) finish() (shown bool) {
	c := w.running
	w.running = nil
	c.stop()
	if text, err := learner.ReadShader(filepath.Join(w.folder, c.name)); err == nil && text != c.text {
		w.replaced()
		w.saved = append(w.saved, c.name)
		return false
	}
	w.last = c
	c.ended = time.Now()
	w.keepPieces()
	_, _ = c.said.WriteTo(w.out)
	_, _ = c.noted.WriteTo(w.errors)
	var exit *exec.ExitError
	if c.err != nil && (!errors.As(c.err, &exit) || !exit.Exited()) {
		fmt.Fprintf(w.errors, "wgslab: the check of %s ended without a verdict: %v\n", c.name, c.err)
	}
	if c.err == nil && len(w.queue) == 0 {
		w.next()
	}
	return true
}

// stop ends the check that is running, if there is one, and waits for its end.
func (w *watch) stop() {
	if w.running != nil {
		w.running.stop()
		<-w.running.done
		w.running = nil
	}
}

// next says which exercise is next, and which file to edit.
func (w *watch) next() {
	passed, err := learner.Read(w.folder)
	if err != nil {
		fmt.Fprintln(w.errors, "wgslab:", err)
		return
	}
	exercise := learner.Map{Progress: passed}.Next()
	if exercise == nil {
		fmt.Fprintln(w.out, "\nYou have passed every exercise.")
		return
	}
	file, isNew, err := w.begin(exercise)
	if err != nil {
		fmt.Fprintln(w.errors, "wgslab:", err)
	}
	edit := "Edit " + file + "."
	if isNew {
		edit += " It is new, and has the lesson's first lines."
	}
	fmt.Fprintf(w.out, "\nNext: %s, in lesson %d.\n%s\n%s\n", exercise.ID, exercise.Lesson, filled(exercise.Task), filled(edit))
}

// begin returns the learner's file for an exercise. If there is none, it writes one.
func (w *watch) begin(exercise *course.Exercise) (file string, isNew bool, err error) {
	if own, _, err := learner.ProgramIn(w.folder, exercise.ID); exercise.IsOnHost() && (own != "" || err != nil) {
		return own, false, err
	}
	ext, text, err := firstLines(exercise)
	file = filepath.Join(w.folder, exercise.ID+ext)
	if err != nil {
		return file, false, fmt.Errorf("beginning %s: %w", file, err)
	}
	created, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return file, false, nil
	}
	if err == nil {
		_, err = created.WriteString(text)
		err = errors.Join(err, created.Close())
	}
	if err != nil {
		return file, false, fmt.Errorf("beginning %s: %w", file, err)
	}
	w.begun = text
	return file, true, nil
}

// firstLines returns what the learner begins with, and the extension of its file. A program is in
// Go where a check can build Go.
func firstLines(exercise *course.Exercise) (ext, text string, err error) {
	if !exercise.IsOnHost() {
		text, err = exercise.Skeleton()
		return ".wgsl", text, err
	}
	if _, err := repository.Root("."); err != nil {
		text, err = exercise.ScriptSkeleton()
		return ".js", text, err
	}
	skeleton, err := exercises.Files.ReadFile(path.Join(exercise.ID, "skeleton.go"))
	return ".go", string(skeleton), err
}

// filled wraps a paragraph as verdicts do.
func filled(paragraph string) string {
	return strings.TrimSuffix(plaintext.Fill(strings.Fields(paragraph), " ", "", 78), "\n")
}
