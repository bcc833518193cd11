// Package submission reads what students hand in: notebooks, in files, folders
// and zips, in the layouts of nbgrader and of course systems' bulk downloads.
//
// A submission is data, never code. Only the text of the shaders is taken out of
// it, nothing of it is run or unpacked, and whatever is wrong with it is a problem
// of that one student.
//
// # Who handed it in
//
// One folder or zip alone is a class. What stands in it is a student each: a
// folder, a zip or a notebook, named after the student. Several folders or zips are
// a student each. Beyond that:
//
//   - nbgrader: submitted/STUDENT/ASSIGNMENT/NOTEBOOK.ipynb.
//   - A name as Canvas, Moodle, Blackboard or Brightspace write it into a bulk
//     download names the student; a folder or zip of such names is a class
//     wherever it is given.
//   - A notebook called as those of the course are, 02-add.ipynb, says nothing about
//     its student. It belongs to the folder or zip that it stands in, and one with
//     such notebooks right in it, and nothing that looks like students', is one
//     student's own.
//
// Everything inside what is a student's is that student's, whatever its name.
package submission

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// A Submission is what one student handed in.
type Submission struct {
	// Student is the student's name as far as the names of files and folders tell
	// it. It is printable, serves as a file name on any system, means nothing to
	// HTML or to a spreadsheet, and no two submissions share it, even where case
	// does not count.
	Student string
	// Shaders are the shaders by the id of their exercise. Of several cells that
	// write the same file the last one counts, as it would on a Run.
	Shaders map[string]Shader
	// Host says that the host exercise, which is Go and can only be run, was
	// changed by the student.
	Host bool
	// Problems say, one sentence each, what could not be read and why, and where
	// there was something to decide.
	Problems []string
	// Unread says that a problem is more than a decision: something was not read.
	Unread bool
	// Files are the notebooks that were read, by their names as handed in.
	Files []string
}

// A Shader is the text of one learner's cell, and where it stands.
type Shader struct {
	// Source is what %%writefile would have written, as far as maxShader: a longer
	// one is cut off there, which is beyond what a check takes.
	Source string
	File   string // the notebook, as handed in
	Cell   int    // its place among the notebook's cells, from 1
}

// Collect reads what stands at the paths: notebooks, zips, folders of them, and
// patterns as filepath.Glob knows them. The submissions are in the order of the
// students' names, and the same paths give the same submissions.
//
// It fails when a path or pattern leads nowhere, when nothing that was handed in is
// found at all, when ctx is done, and when this machine cannot keep a temporary file.
// What is wrong with a submission is among its Problems.
func Collect(ctx context.Context, paths []string) ([]Submission, error) {
	arguments, err := resolve(paths)
	if err != nil {
		return nil, err
	}
	c := &collector{}
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

// What a submission may cost. Whatever is beyond it is not read, and said.
const (
	maxNotebook  = 32 << 20  // bytes of one notebook
	maxText      = 64 << 20  // bytes of all the notebooks of a student
	maxUnpacked  = 256 << 20 // bytes of all the zips of a student that lie in a zip
	maxDirectory = 8 << 20   // bytes of the lists of names in the zips of a student, or in that of a class
	maxDepth     = 32        // folders in folders
	maxName      = 4096      // bytes of a name in a zip
	maxNotebooks = 200       // of a student
	maxZips      = 50        // of a student
	maxMembers   = 1000      // of a notebook, its cells being one
	maxCells     = 10_000    // of a notebook
	maxLines     = 100_000   // of a cell that is given as a list of lines
	maxShader    = 512 << 10 // bytes kept of a shader
	maxProblems  = 20        // of a student; the rest is counted
)

// errTooMuch says that a limit was reached.
var errTooMuch = errors.New("too much")

// ended is the error of a ctx that is done.
func ended(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
