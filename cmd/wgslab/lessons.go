package main

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

// lessonsDir is the folder of the learner's copies of the notebooks, in a clone. Git ignores it.
const lessonsDir = "lessons"

func newLessonsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lessons [FOLDER]",
		Short: "Make or update your copies of the notebooks",
		Long: `Lessons copies the notebooks of this clone, and what they show, to a folder: lessons/
unless you name another. There you work; git sees no change of yours. Outside of a
clone, the notebooks are those that came with the program.

If the course has changed since, lessons brings the change into your copies. A cell
that you didn't change becomes the course's new one, with its output gone. A cell that
you changed stays; if the course changed it as well, a note above it shows the
course's version. Cells that you added stay where they are, and the shaders in
work/ aren't touched. For a fresh copy of a notebook, delete yours first.

wgslab lab and make lab do this each time they start.`,
		Example: "  git pull && wgslab lessons\n  wgslab lessons ~/gpu-course",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := repository.Root(".")
			notebooks, folder := notebooksOf(root), filepath.Join(root, lessonsDir)
			if err != nil {
				if notebooks = shippedNotebooks(); notebooks == "" {
					return &codedError{exitAsked, err}
				}
			}
			if len(args) > 0 {
				folder = args[0]
			}
			var said strings.Builder
			if _, err = updateLessons(&said, notebooks, folder); err != nil {
				return err
			}
			if said.Len() == 0 {
				fmt.Fprintf(&said, "Your copies in %s are those of the course. Another folder gets its own by `wgslab lessons FOLDER`.\n", folder)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), said.String())
			return err
		},
	}
}

// notebooksOf returns the folder of a clone's notebooks.
func notebooksOf(root string) string { return filepath.Join(root, "notebooks") }

// shippedNotebooks returns the folder of the notebooks that came with this program, or "".
func shippedNotebooks() string {
	for _, folder := range shipped() {
		if notebooks := filepath.Join(folder, "notebooks"); isFolder(notebooks) {
			return notebooks
		}
	}
	return ""
}

// updateLessons makes or updates the learner's copies in folder, and says what changed. made is
// whether there were none before.
func updateLessons(w io.Writer, notebooks, folder string) (made bool, err error) {
	report, err := nbformat.Folder(notebooks, folder)
	if err != nil {
		return false, err
	}
	_, err = fmt.Fprint(w, lessonsText(report, folder))
	return report.Made, err
}

// lessonsText tells a learner what has changed in the folder; nothing if nothing has.
func lessonsText(report *nbformat.FolderUpdate, folder string) string {
	var b strings.Builder
	switch {
	case report.Made:
		fmt.Fprintf(&b, "Your copies of the notebooks are in %s. Work in them: an update of the course keeps what you write.\n", folder)
	case len(report.Updated) > 0:
		fmt.Fprintf(&b, "The course has changed. Updated in %s: %s.\n", folder, strings.Join(report.Updated, ", "))
	}
	for _, file := range slices.Sorted(maps.Keys(report.Both)) {
		cells := report.Both[file]
		if cells == nil {
			fmt.Fprintf(&b, "You and the course have both changed %s. Yours stays.\n", file)
			continue
		}
		fmt.Fprintf(&b, "You and the course have both changed %s in %s. Yours stays, with a note above it.\n", strings.Join(cells, ", "), file)
	}
	for _, trouble := range report.Trouble {
		fmt.Fprintf(&b, "%v.\n", trouble)
	}
	return b.String()
}
