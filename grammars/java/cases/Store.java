package example;

import java.util.List;
import static java.lang.Math.*;

/**
 * Keeps things.
 */
@Deprecated
public final class Store<T> implements Shape {
    public static final int LIMIT = 10;
    private T first, second;

    static {
        int x = 1;
    }

    public Store(T first) {
        this.first = first;
    }

    @Override
    public <U> List<U> list(
            final U one) throws Exception {
        Runnable r = new Runnable() {
            @Override public void run() {}
        };
        return null;
    }

    enum Mode { OFF, ON { void flip() {} } }

    record Point(int x, int y) {
        Point { }
    }

    @interface Mark { int value() default 1; }
}

interface Shape {
    int SIDES = 4;
    double area();
    default void draw() {}
}
