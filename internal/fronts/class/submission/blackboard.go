package submission

import "strings"

// nameStudents replaces the names of Blackboard's files by those of their students. A file is named
// after its assignment and its student, with a "_" between them, and both may contain more of them:
// HW1_a_smith. All files of a download belong to one assignment. So the words that all their names
// begin with are the assignment's, and what differs is the student's. Files that came alone are a
// download together. If nothing differs, or nothing is alike, the student's name is the last word.
//
// An assignment of several words may hold the beginning of a student's name: a_smith of Lab 1 and
// b_smith of Lab 2 would both be smith. So its students are the same only in the same assignment.
func nameStudents(all []found) {
	rereadUploads(all)
	downloads := map[int][]*identity{}
	for i := range all {
		if f := &all[i]; f.who.system == blackboard {
			downloads[f.root] = append(downloads[f.root], &f.who)
		}
	}
	var alone []*identity
	for _, names := range downloads {
		if len(distinct(names)) > 1 {
			shorten(names)
		} else {
			alone = append(alone, names...)
		}
	}
	shorten(alone)
}

// rereadUploads finds Blackboard's files whose assignment has numbers in its name, as in
// HW_12_345_jdoe_attempt_…, so that they look like Canvas'. Canvas gives each file
// another number: different files with the same one are not from there.
func rereadUploads(all []found) {
	type upload struct {
		who    identity
		number string
	}
	first, repeated := map[upload]string{}, map[upload]bool{}
	for _, f := range all {
		if f.who.system == canvas {
			at := upload{f.who, f.when.upload}
			if name, ok := first[at]; ok && name != f.path[0] {
				repeated[at] = true
			}
			first[at] = f.path[0]
		}
	}
	for i := range all {
		if f := &all[i]; repeated[upload{f.who, f.when.upload}] {
			if who, when, own := blackboardFile.read(f.path[0]); own > 0 {
				f.who, f.when = who, when
			}
		}
	}
}

func distinct(names []*identity) map[string]bool {
	found := map[string]bool{}
	for _, n := range names {
		found[n.name] = true
	}
	return found
}

// shorten removes the name of the assignment from the names in one download.
func shorten(names []*identity) {
	var shared []string
	for i, n := range names {
		words := strings.Split(n.name, "_")
		words = words[:len(words)-1] // the last one is the student's
		if i == 0 {
			shared = words
		}
		same := 0
		for same < min(len(shared), len(words)) && shared[same] == words[same] {
			same++
		}
		shared = shared[:same]
	}
	differ := len(distinct(names)) > 1
	for _, n := range names {
		words := strings.Split(n.name, "_")
		assignment := len(words) - 1
		if differ && len(shared) > 0 {
			assignment = len(shared)
		}
		n.name = strings.Join(words[assignment:], "_")
		if assignment > 1 {
			n.id = strings.Join(words[:assignment], "_")
		}
	}
}
