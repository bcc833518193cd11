// Package submission reads what students hand in: notebooks, in files, folders
// and zips, in the layouts of nbgrader and of course systems' bulk downloads.
//
// A submission is data, never code. Only the text of the shaders is taken out of
// it, nothing of it is run, and whatever is wrong with it is a problem of that
// one student.
package submission

// A Submission is what one student handed in.
type Submission struct {
	Student string
	// Shaders are the shaders by the id of their exercise. Of several cells that
	// write the same file the last one counts, as it would on a Run.
	Shaders map[string]Shader
	// Host says that the host exercise, which is Go and can only be run, was
	// changed by the student.
	Host bool
	// Problems say, one sentence each, what could not be read and why.
	Problems []string
	// Files are the notebooks that were read, by their names as handed in.
	Files []string
}

// A Shader is the text of one learner's cell, and where it stands.
type Shader struct {
	Source string // what %%writefile would have written
	File   string // the notebook, as handed in
	Cell   int    // its place among the notebook's cells, from 1
}
