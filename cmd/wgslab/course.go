package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

// workFolder returns the learner's work folder: work/ here, or else that of the copies of the
// notebooks, or else that beside the notebooks themselves. If there is none, a folder above that
// holds the notebooks, or the copies, has it.
func workFolder() string {
	if folder, found := workFolderIn(".", isFolder); found {
		return folder
	}
	here, err := os.Getwd()
	if err != nil {
		return learner.Dir
	}
	up := ".."
	for at := filepath.Dir(here); at != filepath.Dir(at); at, up = filepath.Dir(at), filepath.Join(up, "..") {
		if folder, found := workFolderIn(up, besideNotebooks); found {
			return folder
		}
	}
	return learner.Dir
}

// workFolderIn returns the work folder of a folder, of the copies in it or of the notebooks in it.
func workFolderIn(dir string, accept func(folder string) bool) (folder string, found bool) {
	for _, parent := range []string{".", lessonsDir, "notebooks"} {
		if folder := filepath.Join(dir, parent, learner.Dir); accept(folder) {
			return folder, true
		}
	}
	return "", false
}

// besideNotebooks reports whether a folder is the work folder of notebooks: others are called work,
// too.
func besideNotebooks(folder string) bool {
	first, err := os.Stat(filepath.Join(filepath.Dir(folder), course.Lessons[0].Notebook))
	return err == nil && first.Mode().IsRegular() && isFolder(folder)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func newProgressCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "progress",
		Short:   "Show the lessons and your progress",
		Long:    "Progress lists the eight lessons, and those beyond, with their exercises and marks the ones you have passed.",
		Example: "  wgslab progress",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder := workFolder()
			passed, err := learner.Read(folder)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s\n", learner.Map{Progress: passed}.Text(), lookedIn(folder))
			return err
		},
	}
}

// lookedIn says from where the learner's tries are, and what to do if there are none.
func lookedIn(folder string) string {
	shown := folder
	if absolute, err := filepath.Abs(folder); err == nil {
		shown = absolute
	}
	if tries, _, err := learner.ReadJournal(folder); err == nil && len(tries) == 0 {
		return fmt.Sprintf("There are no tries of yours in %s. If you have checked a shader, run this in the folder of your notebooks.", shown)
	}
	return "Read from " + shown + "."
}

func newJournalCommand() *cobra.Command {
	var out, paste, exercise, dataset string
	var share bool
	var without []string
	command := &cobra.Command{
		Use:   "journal",
		Short: "Write all your tries to one web page",
		Long: `Journal writes an HTML page with all your tries, by lesson: your first shader for each
exercise, what you changed between tries, what the check said, what you and an AI tutor said
(see wgslab mcp), and where it became right. Your predictions are there as well. The page is
one file that asks for nothing from anywhere, and it stays on your machine.

--share leaves out paths, addresses of mail, and the names of your account, this machine and
git's author; --without names more. Look at the page before you give it to anybody.

--paste first keeps a conversation that you had elsewhere, in Markdown: a line such as
**You:** or **Assistant:** begins each turn. It goes where the file's time puts it among
your tries. The text of wgslab tutor in it names the exercise, or else --exercise does.

--progsnap2 writes a data set for research instead of the page, without names, in the form
of ProgSnap2 (cssplice.org). Nothing is sent: you decide whether to hand it in.`,
		Example: "  wgslab journal\n  wgslab journal --html my-journal.html\n  wgslab journal --html to-share.html --share --without \"Ada Lovelace\"\n  wgslab journal --paste chat.md --exercise vector-add\n  wgslab journal --progsnap2 data",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder := workFolder()
			if paste != "" {
				if err := pasteConversation(cmd, folder, paste, exercise); err != nil {
					return err
				}
			}
			if dataset != "" {
				return writeDataset(cmd, folder, dataset, privateHere(cmd.Context(), folder, without))
			}
			var leaveOut func([]learner.Try, []learner.Turn) ([]learner.Try, []learner.Turn)
			if share || len(without) > 0 {
				leaveOut = privateHere(cmd.Context(), folder, without).LeaveOut
			}
			if err := writeJournal(folder, out, leaveOut); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n%s\n", out, lookedIn(folder))
			return err
		},
	}
	command.Flags().StringVar(&out, "html", "journal.html", "write the page to this file")
	command.Flags().StringVar(&out, "out", "journal.html", "the same")
	_ = command.Flags().MarkHidden("out") // its name before
	command.Flags().StringVar(&paste, "paste", "", "keep the conversation in this Markdown file; - reads standard input")
	command.Flags().StringVar(&exercise, "exercise", "", "the exercise of the conversation to paste")
	command.Flags().StringVar(&dataset, "progsnap2", "", "write a data set in the form of ProgSnap2 to this new folder, without names")
	command.Flags().BoolVar(&share, "share", false, "leave out names and paths")
	command.Flags().StringSliceVar(&without, "without", nil, "leave out these names as well; implies --share")
	return command
}

// pasteConversation keeps a conversation that the learner had elsewhere.
func pasteConversation(cmd *cobra.Command, folder, path, exercise string) error {
	from, at := cmd.InOrStdin(), time.Now()
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("--paste: %w", err)
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return fmt.Errorf("--paste: %w", err)
		}
		from, at = file, info.ModTime()
	}
	text, err := io.ReadAll(io.LimitReader(from, learner.MostPasted+1))
	if err != nil {
		return fmt.Errorf("--paste: %w", err)
	}
	says, err := learner.Paste(folder, string(text), exercise, at)
	if errors.Is(err, learner.ErrNoExercise) {
		err = fmt.Errorf("%w with --exercise ID", err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), says)
	return err
}

// writeDataset writes the journal as a data set to a new folder.
func writeDataset(cmd *cobra.Command, folder, out string, private *learner.Private) error {
	tries, _, err := learner.ReadJournal(folder)
	if err != nil {
		return err
	}
	if len(tries) == 0 {
		return &codedError{exitAsked, errors.New("no data set was written. " + lookedIn(folder))}
	}
	files, err := learner.ProgSnap2(folder, private)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return fmt.Errorf("--progsnap2: %s isn't empty: name a new folder", out)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("--progsnap2: %w", err)
		}
		if err := atomicfile.Write(path, files[name], 0o644); err != nil {
			return fmt.Errorf("--progsnap2: %w", err)
		}
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "wrote %s: look at it before you hand it in\n%s\n", out, lookedIn(folder))
	return err
}

// writeJournal writes the journal's page to a file, unless there is nothing to write.
func writeJournal(folder, out string, leaveOut func([]learner.Try, []learner.Turn) ([]learner.Try, []learner.Turn)) error {
	tries, _, err := learner.ReadJournal(folder)
	if err != nil {
		return err
	}
	said, _, err := learner.ReadConversation(folder)
	if err != nil {
		return err
	}
	if len(tries)+len(said) == 0 {
		return &codedError{exitAsked, errors.New("no page was written. " + lookedIn(folder))}
	}
	var page bytes.Buffer
	if err := learner.WritePage(&page, folder, leaveOut); err != nil {
		return err
	}
	if err := atomicfile.Write(out, page.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// sharedAccounts are names of accounts that many people have. They say nothing, and are words.
var sharedAccounts = []string{"root", "user", "admin", "student", "learner", "ubuntu", "debian", "jovyan", "vscode", "codespace", "runner", "localhost"}

// privateHere returns what a page to share leaves out on this machine.
func privateHere(ctx context.Context, folder string, names []string) *learner.Private {
	p := &learner.Private{Names: slices.Clone(names)}
	add := func(name string) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(sharedAccounts, strings.ToLower(name)) {
			p.Names = append(p.Names, name)
		}
	}
	if account, err := user.Current(); err == nil {
		add(filepath.Base(filepath.FromSlash(strings.ReplaceAll(account.Username, `\`, "/"))))
		full, _, _ := strings.Cut(account.Name, ",")
		add(full)
		p.Paths = append(p.Paths, account.HomeDir)
	}
	if host, err := os.Hostname(); err == nil {
		add(host)
	}
	if author, err := exec.CommandContext(ctx, "git", "config", "user.name").Output(); err == nil {
		add(string(author))
	}
	if absolute, err := filepath.Abs(folder); err == nil {
		p.Paths = append([]string{filepath.Dir(absolute)}, p.Paths...) // the longest first
	}
	return p
}

func newTutorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tutor ID",
		Short: "Print the context for an AI tutor on one exercise",
		Long: `Tutor prints the tutor's rules, the exercise with its hints and known mistakes, your
shader, and the last verdicts. For an exercise of the host's calls, it prints your program
and what its calls did when it was last checked. Paste it into an AI assistant: the rules
tell it to help you think, not to write your code. wgslab mcp attaches an assistant instead.`,
		Example: "  wgslab tutor matmul\n  wgslab tutor host-add",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			exercise, err := course.Find(args[0])
			if err != nil {
				return err
			}
			if err := writeTutorPrompt(cmd.OutOrStdout(), exercise); err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.ErrOrStderr(), "Paste this to an AI assistant. To attach one that runs your shader before it speaks: wgslab mcp --help")
			return err
		},
	}
}

// writeTutorPrompt writes the context for an AI tutor on an exercise.
func writeTutorPrompt(w io.Writer, exercise *course.Exercise) error {
	folders := shipped() // which have the rules
	if root, err := repository.Root("."); err == nil {
		folders = append([]string{filepath.Join(root, "notebooks")}, folders...)
	}
	rules, err := learner.Rules(workFolder(), folders)
	if err != nil {
		return err
	}
	return learner.WritePrompt(w, rules, workFolder(), exercise)
}
