using System;
using static System.Math;

namespace App.Data;

/// <summary>Keeps things.</summary>
[Serializable]
public sealed class Store<T> : Base, IShape where T : class
{
    public const int Limit = 10;
    private int first, second;
    public string Name { get; set; } = "x";
    public event EventHandler Changed;

    public Store(int n) : base(n) { }
    ~Store() { }

    [Obsolete]
    public async Task<T> LoadAsync(string path)
    {
        int Inner(int x) => x;
        return default;
    }

    public static bool operator ==(Store<T> a, Store<T> b) => true;
    public T this[int i] => default;

    internal enum Mode { Off, On }
}

public interface IShape { double Area(); }
public record Point(int X, int Y);
public struct Pair { public int A; }
public delegate void Handler(int x);
