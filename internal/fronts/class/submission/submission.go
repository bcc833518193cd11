// Package submission reads hand-ins: notebooks in files, folders and zips, in the layouts of
// nbgrader and of course systems' bulk downloads.
//
// A submission is data, never code. The package takes only the text of its shaders and programs,
// runs and unpacks nothing, and reports errors in a submission as problems of that student.
//
// # Who handed it in
//
// A single folder or zip is a class. Each folder, zip or notebook in it is a student, named after
// it. If you pass several folders or zips, each of them is a student. Beyond that:
//
//   - nbgrader: submitted/STUDENT/ASSIGNMENT/NOTEBOOK.ipynb.
//   - A name in the bulk download format of Canvas, Moodle, Blackboard or Brightspace names the
//     student. The student's own file name follows it, and may look like any of these formats. A
//     folder or zip of such names is a class, wherever it is.
//   - A notebook named like one of the course's, 02-add.ipynb, says nothing about its student. It
//     belongs to the folder or zip that contains it. A folder or zip belongs to one student if it
//     contains such notebooks directly, and nothing that looks like students'.
//
// The same name in two of the folders that you pass names two students, and the folder tells them
// apart. Everything inside a student's folder or zip belongs to that student, whatever its name.
package submission

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Submission is what one student handed in.
type Submission struct {
	// Student is the student's name, as far as the names of files and folders tell. It is
	// printable, is a valid file name on any system, and has no special meaning in HTML or a
	// spreadsheet. No two submissions share it, even ignoring case.
	Student string
	// Shaders holds the shaders by exercise id. If several cells write the same file, the last one
	// counts, as if they had run.
	Shaders map[string]HandIn
	// Programs holds the programs for the host by exercise id: of each, the declarations of Go that
	// the notebook's session has when it checks the program, or a file in JavaScript.
	Programs map[string]HandIn
	// Problems lists, one sentence each, what could not be read and why, and any decisions.
	Problems []string
	// Unread says that at least one problem is more than a decision: something was not read.
	Unread bool
	// Files lists the notebooks that were read, by their names as handed in.
	Files []string
}

// A HandIn is the text of one learner's cell, with its place.
type HandIn struct {
	// Source is what %%writefile would have written, cut off at maxShader bytes, which is more
	// than a check accepts.
	Source string
	File   string // the notebook, as handed in
	Cell   int    // its place among the notebook's cells, from 1; 0 of a file
	Script bool   // it is in JavaScript
}

// Collect reads the submissions at the paths: notebooks, zips, folders of them, and patterns of
// filepath.Glob. It returns them in the order of the students' names; the same paths give the
// same submissions.
//
// It fails if a path or pattern matches nothing, if it finds no submission, if ctx is done, or if
// it can't write a temporary file. Errors in a submission are among its Problems.
func Collect(ctx context.Context, paths []string) ([]Submission, error) {
	arguments, err := resolve(paths)
	if err != nil {
		return nil, err
	}
	c := &collector{folders: map[string]int{}}
	defer c.close()
	for _, a := range arguments {
		if err := errors.Join(ended(ctx), c.take(a)); err != nil {
			return nil, err
		}
	}
	if c.empty() {
		return nil, fmt.Errorf("%w in %s: give notebooks (.ipynb), zips, or a folder with one folder or file for each student",
			errNothing, strings.Join(paths, ", "))
	}
	return c.submissions(ctx)
}

var errNothing = errors.New("there is no submission")

// The limits of a submission. Anything beyond them is not read, and reported.
const (
	maxNotebook  = 32 << 20  // bytes of one notebook
	maxText      = 64 << 20  // bytes of all the notebooks of a student
	maxUnpacked  = 256 << 20 // bytes of all zips in zips of a student
	maxDirectory = 8 << 20   // bytes of the lists of names in a student's zips, or in a class's
	maxDepth     = 32        // folders in folders
	maxName      = 4096      // bytes of a name in a zip
	maxNotebooks = 200       // of a student
	maxZips      = 50        // of a student
	maxWorkFiles = 500       // of a student
	maxMembers   = 1000      // of a notebook; its list of cells counts as one
	maxCells     = 10_000    // of a notebook
	maxLines     = 100_000   // of a cell that is given as a list of lines
	maxProblems  = 20        // of a student; the rest is counted

	maxShader = shader.MaxSource + utf8.UTFMax // bytes kept of a shader: enough to see that it is too large
)

// errTooMuch says that something exceeds a limit.
var errTooMuch = errors.New("too much")

// ended returns the error of a ctx that is done.
func ended(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
