// Package inside puts a learner's program in jail before anything of the program runs. Go
// initializes what a program imports first.
package inside

import (
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/fronts/class/jail"
)

func init() {
	task, reply := jail.Enter()
	host.Order(host.HostOrder{Seed: task.Seed, Reply: reply})
}
