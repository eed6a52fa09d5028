using System.Reflection;

namespace ApexShop.Simulation.Tests.Faults;

/// <summary>An object of a client library's interface, of which a model implements what the shop calls.</summary>
internal class ModelProxy : DispatchProxy
{
    private Func<string, object?[], object?> call = null!;

    /// <summary>The function gets the name of the method and its arguments.</summary>
    public static T Of<T>(Func<string, object?[], object?> call)
        where T : class
    {
        var proxy = Create<T, ModelProxy>();
        ((ModelProxy)(object)proxy).call = call;
        return proxy;
    }

    public static NotSupportedException NotModelled(string method) => new($"{method} is no part of the model.");

    protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) =>
        call(targetMethod!.Name, args ?? []);
}
