package app

import scala.util.{Try, Success}

/** Keeps things. */
@deprecated("old", "1")
final case class Store[T](name: String) extends Base with Shape {
  private val items = List(1)
  var count: Int = 0
  type Id = Long

  def area: Double = 1.0

  override def load(path: String): T = {
    def inner(): Int = 1
    ???
  }
}

object Store {
  def make(): Store[Int] = Store("x")
}

trait Shape { def area: Double }
