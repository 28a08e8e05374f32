#include <vector>

namespace geo::flat {

class API_EXPORT Shape : public Base {
public:
    Shape() = default;
    explicit Shape(int n) : n_(n) {}
    virtual ~Shape();
    virtual double area() const = 0;
    bool operator==(const Shape& other) const { return true; }
    operator bool() const { return true; }
    template <typename T> T as() const;
    enum class Mode : int { Off, On };
private:
    static int count_;
    std::vector<int> points_, more_;
};

template <typename T, int N = 3>
struct Array {
    T data[N];
};

template <>
struct Array<int, 1> {};

using Pair = std::pair<int, int>;
template <typename T> concept Small = sizeof(T) < 4;

double Shape::area() const {
    auto f = [](int x) { struct Local {}; return x; };
    return 0;
}

Shape::~Shape() {}

std::ostream& operator<<(std::ostream& out, const Shape& s) { return out; }

}  // namespace geo::flat

TEST(ShapeTest, HasArea) {
    int x = 1;
}

class MockShape {
    MOCK_METHOD(double, area, (), (const, override));
};

extern "C" int plain(int x);
