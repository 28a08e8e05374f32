package runner

import (
	"fmt"
	str "strings"
)

// Limit is the most there may be.
const Limit = 10

const (
	first = iota
	Second
)

var _ fmt.Stringer = (*Runner)(nil)

// Runner runs.
type Runner[T any] struct {
	Name, alias string
	inner       struct{ x int }
}

type (
	Shape interface {
		Area() float64
		fmt.Stringer
	}
	Alias = Runner[int]
	id    int
)

// Run runs it.
func (r *Runner[T]) Run(args ...string) (err error) {
	type local struct{ a int }
	f := func() { var x int; _ = x }
	f()
	return nil
}

func New(name string) *Runner[int] {
	return nil
}

func TestRun() {}
