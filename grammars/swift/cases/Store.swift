import Foundation

let limit = 10

/// Keeps things.
public final class Store<T>: Base, Shape {
    private var items: [T] = []
    static let shared = Store()

    init(name: String) {}
    deinit {}

    @discardableResult
    public func load(path: String) throws -> T {
        func inner() {}
        fatalError()
    }
    var count: Int { items.count }
}

struct Point { var x: Double }
enum Mode: String { case off, on }
protocol Shape { func area() -> Double }
extension Store { func more() {} }
typealias Pair = (Int, Int)
