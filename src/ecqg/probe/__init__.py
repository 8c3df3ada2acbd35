"""Where does a retriever look, and does it overlook what stands late in a passage?"""
