namespace ApexShop.Simulation.Tests.Faults;

/// <summary>A server as its clients reach it.</summary>
/// <param name="name">Its name in the trace.</param>
/// <param name="lost">The exception of a client whose connection is lost or refused.</param>
internal sealed class Server(string name, Func<Exception> lost)
{
    public string Name => name;

    public bool IsDown { get; set; }

    public Exception Lost() => lost();
}
