package check_test

import (
	"fmt"
	"log"

	"github.com/wgslab/wgslab/pkg/check"
)

// A check cell is one line. It shows the verdict on work/hello.wgsl. If the shader is not right, it
// ends the cell with an error.
func ExampleExercise() {
	check.Exercise("hello")
}

// A cell of a course that gives points for costs. It ends with an error unless work/matmul.wgsl is
// right and reaches every goal.
func ExampleGoals() {
	check.Goals("matmul")
}

// Without the folder work, Own returns the reference.
func ExampleOwn() {
	shader, err := check.Own("matmul")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %s\n", shader.ID, shader.Whose())
	// Output: matmul: the reference: yours is not written yet
}

// The cell provides a function that records the passes. This one records only the last of the four,
// so the check says what is wrong.
func ExampleForward() {
	check.Forward(func(l check.Layers) error {
		softmax, err := l.Softmax.Pass([3]uint32{uint32(l.Rows), 1, 1}, l.Shape, l.Out)
		if err != nil {
			return err
		}
		return l.Device.Run(softmax)
	})
}

// The cell provides a function that trains on every batch. This one only runs the forward pass, so
// the check says what is missing.
func ExampleTrain() {
	check.Train(func(t *check.Training) error {
		for t.Next() {
			err := t.Run(t.Linear(t.X, t.W1, t.B1, t.Hidden), t.Relu(t.Hidden), t.Linear(t.Hidden, t.W2, t.B2, t.Prob), t.Softmax(t.Prob))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func ExampleWhose() {
	fmt.Println(check.Whose(check.Shader{ID: "relu", Learners: true}, check.Shader{ID: "matmul", Because: "yours is not written yet"}).Text())
	// Output:
	// Whose shaders
	//   relu    yours
	//   matmul  the reference: yours is not written yet
}
