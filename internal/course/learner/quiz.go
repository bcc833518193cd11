// This file asks the learner questions: before a worked example, what it will show, and at the
// beginning of a lesson, one question of an earlier lesson again. The journal keeps the answers.

package learner

import (
	"errors"
	"fmt"
	"time"

	"github.com/wgslab/wgslab/internal/course"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
)

// Predict takes the learner's answer to a question, a letter, and returns what the cell shows.
// Without an answer it says how to give one. dir is the work folder.
func Predict(dir, id, letter string) (*QuestionCard, error) {
	q, err := course.FindQuestion(id)
	if err != nil {
		return nil, err
	}
	return answered(dir, &QuestionCard{Question: q, Call: fmt.Sprintf("check.Predict(%q, \"a\")", id)}, letter)
}

// Recall asks one question of an earlier lesson again, in new words, at the beginning of a lesson.
// The journal chooses it.
func Recall(dir string, lesson int, letter string) (*QuestionCard, error) {
	tries, _, err := ReadJournal(dir)
	if err != nil {
		return nil, err
	}
	q := choose(tries, course.OwnQuestions(), lesson)
	if q == nil {
		return nil, errors.New("no earlier lesson has a question")
	}
	return answered(dir, &QuestionCard{Question: q.Anew(), Lesson: lesson, Call: fmt.Sprintf("check.Recall(%d, \"a\")", lesson)}, letter)
}

// answered puts the learner's answer on a card and records it.
func answered(dir string, c *QuestionCard, letter string) (*QuestionCard, error) {
	if letter == "" {
		return c, nil
	}
	given, ok := c.Question.Answer(letter)
	if !ok {
		c.Problem = fmt.Sprintf("`%s` is not one of the letters.", letter)
		return c, nil
	}
	c.Given = &given
	return c, record(dir, c)
}

// record writes an answer to the journal, unless it is the last one there.
func record(dir string, c *QuestionCard) error {
	tries, _, err := ReadJournal(dir)
	if err != nil {
		return err
	}
	if before := last(tries, c.Question.ID); before != nil && before.Message == c.Given.Text && before.RecalledIn == c.Lesson {
		return nil
	}
	kind := "prediction"
	if c.Lesson > 0 {
		kind = "recall"
	}
	says := map[bool]string{true: "right", false: "not right"}[c.Given.Right]
	try := Try{
		Time: time.Now().UTC(), Exercise: c.Question.ID, Passed: c.Given.Right, RecalledIn: c.Lesson,
		Headline: c.Question.ID + ": " + kind + ", " + says, Message: c.Given.Text,
	}
	return RecordAnswer(dir, try)
}

// last returns the last try at an exercise; nil if there is none.
func last(tries []Try, id string) *Try {
	for i := len(tries) - 1; i >= 0; i-- {
		if tries[i].Exercise == id {
			return &tries[i]
		}
	}
	return nil
}

// rest is how many lessons later a question may come again that the learner got wrong.
const rest = 3

// choose returns the question that a lesson begins with; nil if no earlier lesson has one. The
// first of these that there is:
//   - the question that the lesson has begun with already, so that it stays,
//   - the question whose last answer was wrong, the one that has waited longest,
//   - the first question of the lesson with the most failed checks,
//   - the first question of the lesson before, or of the one before that, and so on.
//
// A question that began a lesson comes again only if its answer was wrong, and then at least rest
// lessons later.
func choose(tries []Try, questions []*course.Question, lesson int) *course.Question {
	earlier := map[string]*course.Question{}
	first := map[int]*course.Question{} // by lesson, of those that have begun no lesson
	for _, q := range questions {
		if q.Lesson >= lesson {
			continue
		}
		earlier[q.ID] = q
		if first[q.Lesson] == nil && lastRecall(tries, q.ID) == 0 {
			first[q.Lesson] = q
		}
	}
	if q := begunWith(tries, earlier, lesson); q != nil {
		return q
	}
	for i, t := range tries {
		q := earlier[t.Exercise]
		if q == nil || t.Passed || last(tries, t.Exercise) != &tries[i] {
			continue
		}
		if before := lastRecall(tries, q.ID); before == 0 || lesson >= before+rest {
			return q
		}
	}
	if q := first[hardest(tries, first)]; q != nil {
		return q
	}
	for l := lesson - 1; l > 0; l-- {
		if first[l] != nil {
			return first[l]
		}
	}
	return questionBefore(questions, lesson)
}

// questionBefore returns the last question before a lesson, for a learner who has answered all of
// them; nil if there is none.
func questionBefore(questions []*course.Question, lesson int) (before *course.Question) {
	for _, q := range questions {
		if q.Lesson < lesson {
			before = q
		}
	}
	return before
}

// lastRecall returns the lesson that a question began last; 0 if it has begun none.
func lastRecall(tries []Try, id string) (lesson int) {
	for _, t := range tries {
		if t.Exercise == id && t.RecalledIn > 0 {
			lesson = t.RecalledIn
		}
	}
	return lesson
}

// begunWith returns the question that the learner has answered at the beginning of a lesson.
func begunWith(tries []Try, earlier map[string]*course.Question, lesson int) *course.Question {
	for i := len(tries) - 1; i >= 0; i-- {
		if q := earlier[tries[i].Exercise]; q != nil && tries[i].RecalledIn == lesson {
			return q
		}
	}
	return nil
}

// hardest returns the lesson with the most failed checks, among those with a question; 0 if there
// is no such check. A shader that isn't written yet is no failure.
func hardest(tries []Try, asked map[int]*course.Question) (lesson int) {
	failed := map[int]int{}
	for _, t := range tries {
		if e, err := course.Find(t.Exercise); err == nil && !t.Passed && t.Diagnosis != verdict.Stub {
			failed[e.Lesson]++
		}
	}
	for l := range course.Core + 1 {
		if asked[l] != nil && failed[l] > failed[lesson] {
			lesson = l
		}
	}
	return lesson
}
