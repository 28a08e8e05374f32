package app

import kotlin.math.max
import java.util.*

const val LIMIT = 10

/** Keeps things. */
@Serializable
data class Store<T>(val name: String, private var size: Int = 0) : Base(), Shape {
    private val items = listOf(1)

    override fun area(): Double = 1.0

    fun load(path: String): T {
        fun inner() {}
        return TODO()
    }

    companion object {
        fun make() = Store<Int>("x")
    }
}

interface Shape {
    fun area(): Double
}

enum class Mode {
    OFF,
    ON,
}

object Registry {
    val all = 1
}

typealias Pair2 = Pair<Int, Int>

suspend fun String.shout(): String = uppercase()
