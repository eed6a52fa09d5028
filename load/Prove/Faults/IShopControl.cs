namespace ApexShop.Prove.Faults;

/// <summary>What a fault may do to the shop: signals to processes, and an operator's way to the servers.</summary>
internal interface IShopControl
{
    /// <summary>The processes and servers that may be killed, such as projector-2 and redis.</summary>
    IReadOnlyList<string> Names { get; }

    /// <summary>A superuser's connection string for the shop's database, or null.</summary>
    string? Database { get; }

    /// <summary>The broker with its virtual host, or null.</summary>
    Uri? Broker { get; }

    string Exchange { get; }

    string ProjectorQueue { get; }

    /// <summary>Address and password of Redis, or null where others use it too.</summary>
    (string Host, int Port, string Password)? Redis { get; }

    /// <summary>The address of this program for deliveries of a webhook.</summary>
    string Receiver { get; }

    /// <summary>The numbers of the machines of a cluster; none without one.</summary>
    IReadOnlyList<string> Machines { get; }

    /// <summary>Whether a machine can be cut off from the others.</summary>
    bool HasNetworks { get; }

    /// <summary>The machine of the primary PostgreSQL.</summary>
    Task<string> PrimaryMachineAsync();

    /// <summary>Lets a machine of a cluster fail or return: a command of <c>./apexshop cluster</c>.</summary>
    Task OnMachineAsync(string command, string machine);

    /// <summary>Sends a signal, such as KILL or STOP.</summary>
    Task SignalAsync(string name, string signal);

    /// <summary>kill -9 of the Patroni of a PostgreSQL of a cluster, which itself goes on.</summary>
    Task KillPatroniAsync(string name);

    /// <summary>Waits for the end of a process that was signalled.</summary>
    Task EndAsync(string name);

    /// <summary>Starts a process and waits until it is ready.</summary>
    Task StartAsync(string name);
}
