using System.Net;
using System.Net.Sockets;

namespace ApexShop.TestKit;

/// <summary>Free ports on the loopback address.</summary>
public static class Loopback
{
    // Below the range of outgoing connections, so that a port stays free while its process is down.
    private const int First = 20_000;
    private const int Last = 30_000;

    private static readonly HashSet<int> taken = [];

    /// <summary>A port without a listener that this test run has not used yet.</summary>
    public static int FreePort()
    {
        lock (taken)
        {
            for (var attempt = 0; attempt < 1000; attempt++)
            {
                var port = Random.Shared.Next(First, Last);
                if (IsFree(port) && taken.Add(port)) return port;
            }
        }

        throw new InvalidOperationException("No free port was found on the loopback address.");
    }

    private static bool IsFree(int port)
    {
        using var listener = new TcpListener(IPAddress.Loopback, port);
        try
        {
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
